//! The driver room: finds, loads, checks, limits and calls driver components.
//!
//! It owns everything about wasm: the engine, the compiled-code cache, what a component may
//! import, and how much time, memory and output one call may cost. It refuses to know any CLI:
//! what a line means is the component's business, and which process it speaks to is the session's.

mod bounds;
mod bundled;
mod code_cache;
mod conduct;
mod cpu_clock;
mod engine;
mod fault;
#[cfg(test)]
mod hostile;
mod instance;
mod last_words;
mod limits;
mod loaded;
mod loader;
mod refusal;
pub mod replay;
mod sandbox;
mod sealed_wasi;
mod shelf;
mod state;

pub use conduct::{Breach, Conduct, output_name};
pub use fault::{Call, DriverFault, LaunchRefused};
pub use groupx_driver_abi::calls::StepResult;
pub use groupx_driver_abi::types::{
    Capabilities, Content, Delta, Description, Diagnostic, Diff, Executable, ExitStatus, Ext,
    Failure, Input, Interaction, LaunchFile, LaunchSpec, Level, Limits, McpAttachment, Note,
    Output, Oversized, Pair, Prompt, SessionConfig, SessionReady, Timer, ToolContent, ToolProgress,
    ToolStatus, TurnCompleted, TurnFailed, TurnStarted, Usage,
};
pub use instance::Instance;
pub use limits::{API_VERSION, default_limits};
pub use loaded::Driver;
pub use loader::Loader;
pub use refusal::{Refusal, RefusedDriver, Source};
pub use shelf::{DriverEntry, DriverNews, Drivers};
