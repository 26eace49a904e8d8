//! Why a room could not be opened, in words that say what to do.

use std::io;

use crate::store::{OpenFault, StoreFault};

/// See the module.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Somebody has the port.
    #[error(
        "Port {0} is already in use. Stop what runs there, or set server.port in groupx.json to another one."
    )]
    PortTaken(u16),
    /// The port cannot be had for another reason.
    #[error("Port {port} on 127.0.0.1 cannot be opened: {cause}.")]
    Port {
        /// The port.
        port: u16,
        /// What the system said.
        cause: String,
    },
    /// The database cannot be opened.
    #[error(transparent)]
    Store(#[from] OpenFault),
    /// The database was opened and cannot be written.
    #[error("The database cannot be written: {0}.")]
    StoreWrite(#[from] StoreFault),
    /// The files beside the database cannot be written.
    #[error("The folder of the database cannot be written: {0}.")]
    Mark(String),
}

impl StartError {
    pub(super) fn port(port: u16, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::AddrInUse => Self::PortTaken(port),
            _ => Self::Port {
                port,
                cause: error.to_string(),
            },
        }
    }

    /// Whether another runtime has what this one needs: its port, or its database.
    pub fn is_taken(&self) -> bool {
        matches!(
            self,
            Self::PortTaken(_) | Self::Store(OpenFault::Locked { .. })
        )
    }
}
