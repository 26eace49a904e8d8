//! The wasm engine and the ticker that makes deadlines possible.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{self, Thread};

use wasmtime::{Config, Engine};

use super::{code_cache, limits};

/// Ticks without a running call after which the ticker sleeps until the next one: waking it costs
/// a system call, which a streaming agent should not pay with every line.
const IDLE_TICKS: u32 = 100;

/// One engine for all drivers. Its ticker ends with it.
pub(super) struct DriverEngine {
    engine: Engine,
    beat: Arc<Beat>,
    ticker: Thread,
}

/// What the engine and its ticker thread share.
#[derive(Default)]
struct Beat {
    calls: AtomicU32,
    ended: AtomicBool,
}

impl DriverEngine {
    /// `cache` is the folder for compiled code; what keeps it from being used comes back as a
    /// sentence, and drivers are then compiled at every start.
    pub(super) fn new(cache: &Path) -> wasmtime::Result<(Self, Option<String>)> {
        let mut config = Config::new();
        config
            .epoch_interruption(true)
            .max_wasm_stack(limits::WASM_STACK)
            .concurrency_support(false)
            // Address space only, but the default of 4 GiB an instance trips `ulimit -v`.
            .memory_reservation(limits::MEMORY as u64)
            .memory_reservation_for_growth(0)
            .memory_guard_size(64 << 10);
        let unusable = match code_cache::open(cache) {
            Ok(cache) => {
                config.cache(Some(cache));
                None
            }
            Err(reason) => Some(reason),
        };
        let engine = Engine::new(&config)?;
        let beat = Arc::new(Beat::default());
        let ticker = thread::Builder::new()
            .name("driver-ticker".to_owned())
            .spawn({
                let (engine, beat) = (engine.clone(), Arc::clone(&beat));
                move || tick(&engine, &beat)
            })?
            .thread()
            .clone();
        Ok((
            DriverEngine {
                engine,
                beat,
                ticker,
            },
            unusable,
        ))
    }

    pub(super) fn wasm(&self) -> &Engine {
        &self.engine
    }

    /// Ticks happen while the guard lives.
    pub(super) fn running(&self) -> Running<'_> {
        if self.beat.calls.fetch_add(1, Ordering::AcqRel) == 0 {
            self.ticker.unpark();
        }
        Running(&self.beat)
    }
}

impl Drop for DriverEngine {
    fn drop(&mut self) {
        self.beat.ended.store(true, Ordering::Release);
        self.ticker.unpark();
    }
}

/// A call is running; see [`DriverEngine::running`].
pub(super) struct Running<'a>(&'a Beat);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Ordering::AcqRel);
    }
}

fn tick(engine: &Engine, beat: &Beat) {
    let mut idle = 0;
    while !beat.ended.load(Ordering::Acquire) {
        if beat.calls.load(Ordering::Acquire) > 0 {
            engine.increment_epoch();
            idle = 0;
        } else if idle < IDLE_TICKS {
            idle += 1;
        } else {
            thread::park();
            idle = 0;
            continue;
        }
        thread::sleep(limits::TICK);
    }
}
