//! What a driver author writes: one state machine, one input at a time.
//!
//! The shell around it ([`crate::component`]) does the batching. A driver never sees how inputs were
//! grouped, so it cannot depend on it.

use crate::{Description, Failure, Input, LaunchSpec, Outbox, Output, SessionConfig};

/// The state machine that speaks one agent's native language. One value lives per session.
pub trait Driver: Sized + 'static {
    /// What this driver is and can do; the same every time.
    fn describe() -> Description;

    /// What to run for a session; asked before [`Driver::open`], maybe of another instance.
    ///
    /// # Errors
    /// The session cannot be started at all, and the failure says why.
    fn launch(config: &SessionConfig) -> Result<LaunchSpec, Failure>;

    /// Begin a session.
    ///
    /// # Errors
    /// The session cannot be driven at all, and the failure says why.
    fn open(config: SessionConfig) -> Result<Self, Failure>;

    /// Take one input and write what follows from it into `out`, in the order in which it is to be done.
    fn input(&mut self, input: Input, out: &mut Outbox);

    /// True while no prompt is wanted. A driver that holds must have a timer armed that ends it.
    fn hold(&self) -> bool {
        false
    }
}

/// What one call of `step` gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// In the order in which the host acts on them.
    pub outputs: Vec<Output>,
    /// See [`Driver::hold`].
    pub hold: bool,
}

impl Step {
    /// Run `inputs` through `driver`, one after the other.
    pub fn take<D: Driver>(driver: &mut D, inputs: impl IntoIterator<Item = Input>) -> Self {
        let mut out = Outbox::default();
        for input in inputs {
            driver.input(input, &mut out);
        }
        Self {
            outputs: out.into_outputs(),
            hold: driver.hold(),
        }
    }
}
