//! The session's own thread, on which its driver instance lives and computes.
//!
//! A driver that spins keeps this thread busy until its deadline, and no one else's.

use std::sync::mpsc::{Sender, channel};

use tokio::sync::mpsc;

use crate::driver::{DriverFault, Input, Instance, StepResult};

/// The async side of the thread. At most one batch is under way; dropping it ends the thread.
pub(super) struct DriverThread {
    batches: Sender<Vec<Input>>,
    results: mpsc::Receiver<Result<StepResult, DriverFault>>,
    busy: bool,
}

impl DriverThread {
    /// Starts the thread; the instance is made there.
    pub(super) fn start(
        name: &str,
        open: impl FnOnce() -> Result<Instance, DriverFault> + Send + 'static,
    ) -> std::io::Result<Self> {
        let (batches, waiting) = channel::<Vec<Input>>();
        let (answers, results) = mpsc::channel(1);
        std::thread::Builder::new()
            .name(format!("driver-{name}"))
            .spawn(move || {
                let mut instance = match open() {
                    Ok(instance) => instance,
                    Err(fault) => {
                        // A session that went away has no use for the reason.
                        let _ = answers.blocking_send(Err(fault));
                        return;
                    }
                };
                while let Ok(batch) = waiting.recv() {
                    if answers.blocking_send(instance.step(&batch)).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Self {
            batches,
            results,
            busy: false,
        })
    }

    /// Whether a batch is under way.
    pub(super) fn is_busy(&self) -> bool {
        self.busy
    }

    /// Hands over a batch; only while none is under way.
    pub(super) fn step(&mut self, batch: Vec<Input>) {
        // A thread that is gone has left its fault in the results.
        self.busy = true;
        let _ = self.batches.send(batch);
    }

    /// Waits for the answer to the batch under way, or for the fault that ended the thread.
    pub(super) async fn answer(&mut self) -> Option<Result<StepResult, DriverFault>> {
        let answer = self.results.recv().await;
        self.busy = false;
        answer
    }
}
