//! What the host keeps beside one component instance: its bounds, its budget, its last words.

use std::sync::Arc;
use std::time::Duration;

use groupx_driver_abi::{log, types};
use wasmtime::ResourceLimiter;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

use super::cpu_clock::{self, Budget};
use super::last_words::LastWords;
use super::{limits, sealed_wasi};

/// Why the host stopped a call, known before the trap surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The budget was used up.
    Deadline(Duration),
    /// Memory would have grown to this many bytes.
    Memory(usize),
}

/// The data of a store.
pub(super) struct State {
    driver: Arc<str>,
    session: String,
    budget: Budget,
    stop: Option<Stop>,
    words: LastWords,
    /// `None` until the component asks for it.
    surroundings: Option<WasiCtx>,
    handles: ResourceTable,
    log_lines_left: u32,
}

impl State {
    pub(super) fn new(driver: Arc<str>) -> Self {
        State {
            driver,
            session: String::new(),
            budget: Budget::new(limits::CPU_PER_CALL, limits::WALL_PER_CALL),
            stop: None,
            surroundings: None,
            handles: ResourceTable::new(),
            words: LastWords::default(),
            log_lines_left: limits::LOG_LINES_PER_CALL,
        }
    }

    /// Log lines carry this session's id from now on.
    pub(super) fn belongs_to(&mut self, session: &str) {
        session.clone_into(&mut self.session);
    }

    /// A call begins: a fresh budget, nothing said yet.
    pub(super) fn begin_call(&mut self, budget: Budget) {
        self.budget = budget;
        self.stop = None;
        self.words.forget();
        self.log_lines_left = limits::LOG_LINES_PER_CALL;
    }

    /// Asked at every tick of a running call: must it stop?
    pub(super) fn out_of_time(&mut self) -> bool {
        let Some(spent) = self.budget.overrun(cpu_clock::now()) else {
            return false;
        };
        self.stop = Some(Stop::Deadline(spent));
        true
    }

    pub(super) fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// What it wrote in this call, on one line.
    pub(super) fn last_words(&self) -> String {
        self.words.on_one_line()
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            // Making it costs random numbers for generators that are not even linked.
            ctx: self
                .surroundings
                .get_or_insert_with(|| sealed_wasi::surroundings(&self.words)),
            table: &mut self.handles,
        }
    }
}

impl ResourceLimiter for State {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if desired <= limits::MEMORY {
            return Ok(true);
        }
        // An error traps. Saying no would leave it to the component's allocator, whose failure
        // reads like any other crash.
        self.stop = Some(Stop::Memory(desired));
        Err(wasmtime::Error::msg("memory limit"))
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= limits::TABLE_ELEMENTS)
    }
}

impl types::Host for State {}

impl log::Host for State {
    fn log(&mut self, level: types::Level, mut message: String) {
        if level == types::Level::Error {
            // Drivers that were built with the SDK say their panics here.
            self.words.hear(message.as_bytes());
            self.words.hear(b"\n");
        }
        let Some(left) = self.log_lines_left.checked_sub(1) else {
            return;
        };
        self.log_lines_left = left;
        message.truncate(message.floor_char_boundary(limits::LOG_BYTES));
        let (driver, session) = (&*self.driver, &*self.session);
        match level {
            types::Level::Debug => tracing::debug!(driver, session, "{message}"),
            types::Level::Info => tracing::info!(driver, session, "{message}"),
            types::Level::Warn => tracing::warn!(driver, session, "{message}"),
            types::Level::Error => tracing::error!(driver, session, "{message}"),
        }
    }
}
