//! One component instance and the only way to run its code: a guarded call.
//!
//! Every entry sets a fresh budget, tells the ticker, and turns what the engine reports into a
//! [`DriverFault`]. After a fault the memory of the instance is in no known state.

use std::sync::Arc;
use std::time::Duration;

use groupx_driver_abi::{AgentDriver, AgentDriverPre};
use wasmtime::{Store, Trap, UpdateDeadline};
use wasmtime_wasi::I32Exit;

use super::cpu_clock::Budget;
use super::engine::DriverEngine;
use super::fault::{Call, DriverFault};
use super::limits;
use super::state::{State, Stop};

/// A live instance.
pub(super) struct Sandbox {
    engine: Arc<DriverEngine>,
    driver: Arc<str>,
    store: Store<State>,
    exports: AgentDriver,
    output_limit: usize,
}

impl Sandbox {
    /// Creates an instance whose calls may answer with `output_limit` bytes each.
    pub(super) fn start(
        engine: &Arc<DriverEngine>,
        component: &AgentDriverPre<State>,
        driver: &Arc<str>,
        output_limit: usize,
    ) -> Result<Self, DriverFault> {
        let mut store = Store::new(engine.wasm(), State::new(Arc::clone(driver)));
        store.limiter(|state| state);
        store.set_max_component_handles(limits::HANDLES);
        store.set_hostcall_fuel(output_limit + limits::OUTPUT_RECORDS);
        store.epoch_deadline_callback(|mut store| {
            Ok(if store.data_mut().out_of_time() {
                UpdateDeadline::Interrupt
            } else {
                UpdateDeadline::Continue(1)
            })
        });
        store.set_epoch_deadline(1);
        let started = {
            let _running = engine.running();
            component.instantiate(&mut store)
        };
        let exports = started
            .map_err(|error| fault(driver, Call::Start, output_limit, store.data(), &error))?;
        Ok(Sandbox {
            engine: Arc::clone(engine),
            driver: Arc::clone(driver),
            store,
            exports,
            output_limit,
        })
    }

    /// Log lines carry this session's id from now on.
    pub(super) fn belongs_to(&mut self, session: &str) {
        self.store.data_mut().belongs_to(session);
    }

    /// Runs one export. `input_bytes` is what it has to read: honest work takes longer with it.
    pub(super) fn call<R>(
        &mut self,
        call: Call,
        input_bytes: usize,
        run: impl FnOnce(&AgentDriver, &mut Store<State>) -> wasmtime::Result<R>,
    ) -> Result<R, DriverFault> {
        self.store.data_mut().begin_call(budget(input_bytes));
        self.store.set_epoch_deadline(1);
        let _running = self.engine.running();
        run(&self.exports, &mut self.store).map_err(|error| {
            fault(
                &self.driver,
                call,
                self.output_limit,
                self.store.data(),
                &error,
            )
        })
    }
}

fn budget(input_bytes: usize) -> Budget {
    let mib = u32::try_from(input_bytes >> 20).unwrap_or(u32::MAX);
    let for_input = limits::CPU_PER_INPUT_MIB.saturating_mul(mib);
    let cpu: Duration = limits::CPU_PER_CALL.saturating_add(for_input);
    Budget::new(cpu, limits::WALL_PER_CALL)
}

fn fault(
    driver: &str,
    call: Call,
    output_limit: usize,
    state: &State,
    error: &wasmtime::Error,
) -> DriverFault {
    let driver = driver.to_owned();
    match state.stop() {
        Some(Stop::Deadline(spent)) => {
            return DriverFault::Deadline {
                driver,
                call,
                spent,
            };
        }
        Some(Stop::Memory(wanted)) => {
            return DriverFault::Memory {
                driver,
                call,
                wanted,
            };
        }
        None => {}
    }
    // The engine has no type for it, only this text; a test holds us to it.
    if error
        .root_cause()
        .to_string()
        .contains("fuel allocated for hostcalls")
    {
        return DriverFault::OutputTooLarge {
            driver,
            call,
            limit: output_limit,
        };
    }
    let said = state.last_words();
    let reason = match error.downcast_ref::<Trap>() {
        _ if !said.is_empty() => said,
        Some(Trap::StackOverflow) => "it recursed too deeply".to_owned(),
        // A component's own stack lies at the bottom of its memory, so this is how it overflows.
        Some(Trap::MemoryOutOfBounds) => {
            "it left its memory (a bad access, or too deep a recursion)".to_owned()
        }
        Some(trap) => trap.to_string(),
        None if error.is::<I32Exit>() => "it called exit".to_owned(),
        None => error.root_cause().to_string(),
    };
    DriverFault::Trapped {
        driver,
        call,
        reason,
    }
}
