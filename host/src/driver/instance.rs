//! One session's driver: the instance that lives as long as the session does.

use super::bounds;
use super::fault::{Call, DriverFault};
use super::sandbox::Sandbox;
use super::{Failure, Input, Limits, SessionConfig, StepResult};

/// A driver instance that has its session.
///
/// It belongs to one thread at a time and computes on it; see [`Instance::step`].
pub struct Instance {
    driver: String,
    limits: Limits,
    /// `None` after a fault: a trapped instance is never entered again.
    sandbox: Option<Sandbox>,
}

impl Instance {
    pub(super) fn open(
        driver: &str,
        mut sandbox: Sandbox,
        config: &SessionConfig,
    ) -> Result<Self, DriverFault> {
        sandbox.belongs_to(&config.session);
        let opened: Result<(), Failure> = sandbox.call(Call::Open, 0, |exports, store| {
            exports.groupx_driver_driver().call_open(store, config)
        })?;
        let driver = driver.to_owned();
        match opened {
            Ok(()) => Ok(Instance {
                driver,
                limits: config.limits,
                sandbox: Some(sandbox),
            }),
            Err(failure) => Err(DriverFault::Open { driver, failure }),
        }
    }

    /// Gives the driver what has arrived, in order, and takes what it wants done, in order.
    ///
    /// Synchronous: it computes on the calling thread for as long as the driver needs, bounded by
    /// that thread's CPU time, so call it from the session's own thread and never from a worker of
    /// the async runtime.
    ///
    /// # Panics
    /// On such a worker, when the driver waits for a stream (writing to stderr is enough).
    ///
    /// # Errors
    /// Any fault loses the instance: later calls answer [`DriverFault::Spent`].
    pub fn step(&mut self, inputs: &[Input]) -> Result<StepResult, DriverFault> {
        let Some(sandbox) = &mut self.sandbox else {
            return Err(DriverFault::Spent {
                driver: self.driver.clone(),
            });
        };
        let stepped = sandbox
            .call(Call::Step, bounds::input_bytes(inputs), |exports, store| {
                exports.groupx_driver_driver().call_step(store, inputs)
            })
            .and_then(|result| {
                bounds::check(&self.driver, &self.limits, &result.outputs)?;
                Ok(result)
            });
        if stepped.is_err() {
            self.sandbox = None;
        }
        stepped
    }
}
