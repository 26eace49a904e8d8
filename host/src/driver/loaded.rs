//! A driver that was checked and can be used: what it says of itself, and how to start a session.

use std::sync::Arc;

use groupx_driver_abi::AgentDriverPre;

use super::engine::DriverEngine;
use super::fault::{Call, DriverFault, LaunchRefused};
use super::instance::Instance;
use super::refusal::Source;
use super::sandbox::Sandbox;
use super::state::State;
use super::{Description, LaunchSpec, SessionConfig};

/// A loaded driver. It holds compiled code and no session.
pub struct Driver {
    engine: Arc<DriverEngine>,
    component: AgentDriverPre<State>,
    id: Arc<str>,
    description: Description,
    source: Source,
}

impl Driver {
    pub(super) fn new(
        engine: Arc<DriverEngine>,
        component: AgentDriverPre<State>,
        description: Description,
        source: Source,
    ) -> Self {
        Driver {
            engine,
            component,
            id: Arc::from(description.id.as_str()),
            description,
            source,
        }
    }

    /// The driver's id, `[a-z0-9-]{1,32}`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What it says of itself.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Where it came from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What to run for `config`. Runs in an instance of its own, which is thrown away. As
    /// [`Instance::step`], not for a worker of the async runtime.
    ///
    /// # Errors
    /// The driver's own refusal, or a fault of it.
    pub fn launch(&self, config: &SessionConfig) -> Result<LaunchSpec, LaunchRefused> {
        let mut sandbox = self.sandbox(config)?;
        sandbox.belongs_to(&config.session);
        sandbox
            .call(Call::Launch, 0, |exports, store| {
                exports.groupx_driver_driver().call_launch(store, config)
            })?
            .map_err(|failure| LaunchRefused::Failure {
                driver: self.id.to_string(),
                failure,
            })
    }

    /// A fresh instance that has been given `config`. About 50 µs; as [`Instance::step`], not for a
    /// worker of the async runtime.
    ///
    /// # Errors
    /// The driver's own refusal, or a fault of it.
    pub fn open(&self, config: &SessionConfig) -> Result<Instance, DriverFault> {
        Instance::open(&self.id, self.sandbox(config)?, config)
    }

    fn sandbox(&self, config: &SessionConfig) -> Result<Sandbox, DriverFault> {
        let output_limit = config.limits.max_output as usize;
        Sandbox::start(&self.engine, &self.component, &self.id, output_limit)
    }
}
