//! The figures that bound a driver, in one place. Policy of the host: no component can raise them.

use std::time::Duration;

use super::Limits;

/// The driver API that this host speaks; see the versioning note in `wit/driver.wit`.
pub const API_VERSION: &str = "0.1.0";

/// CPU time of the calling thread that one call may use, besides [`CPU_PER_INPUT_MIB`].
pub(super) const CPU_PER_CALL: Duration = Duration::from_millis(400);

/// Further CPU time for each MiB of input: a 16 MiB frame is honest work.
pub(super) const CPU_PER_INPUT_MIB: Duration = Duration::from_millis(40);

/// Wall time of one call. Generous, because a busy machine must not kill a healthy driver.
pub(super) const WALL_PER_CALL: Duration = Duration::from_secs(20);

/// How often a running call is looked at.
pub(super) const TICK: Duration = Duration::from_millis(10);

/// Bytes of linear memory of one instance.
pub(super) const MEMORY: usize = 64 << 20;

/// Elements of one table (function pointers); a driver has a few hundred.
pub(super) const TABLE_ELEMENTS: usize = 100_000;

/// Bytes of native stack that wasm code may use. Session threads have at least twice as much.
pub(super) const WASM_STACK: usize = 512 << 10;

/// Bytes of a component file. The largest tried (an embedded Python) has 18 MB.
pub(super) const FILE_BYTES: u64 = 64 << 20;

/// Bytes of stderr kept from one call: enough for a panic and its place.
pub(super) const STDERR_BYTES: usize = 4 << 10;

/// Streams and pollables that one instance may hold, or lend to one `poll`, at a time; a language's
/// runtime has a dozen.
pub(super) const HANDLES: usize = 256;

/// Bytes of one `log` message, and how many of them one call may write.
pub(super) const LOG_BYTES: usize = 4 << 10;
/// See [`LOG_BYTES`].
pub(super) const LOG_LINES_PER_CALL: u32 = 64;

/// Bytes that the records around the output texts may take while they cross the boundary.
pub(super) const OUTPUT_RECORDS: usize = 8 << 20;

/// The limits that a session announces to its driver unless it has a reason for others.
pub fn default_limits() -> Limits {
    Limits {
        max_frame: 16 << 20,
        max_output: 24 << 20,
        max_json: 64 << 10,
    }
}
