//! Bounds that no configuration changes; the configurable ones are in `config`.

/// Most bytes of a REST body (contract section 1).
pub const BODY_BYTES: usize = 2 * 1024 * 1024;
/// Most characters of a message whatever the configuration says.
pub const CONTENT_CHARACTERS: usize = 131_072;
/// Most targets of one message.
pub const TARGETS: usize = 64;
/// Most bytes of a stored answer; a longer one is cut with a visible mark (Ours 8).
pub const ANSWER_BYTES: usize = 8 * 1024 * 1024;
/// Most tool records of one Turn; then one summary record stands for the rest (Ours 8).
pub const TOOL_RECORDS: usize = 2_000;
/// Most bytes of a reason given by a CLI.
pub const REASON_BYTES: usize = 2_000;
/// Events in a bootstrap.
pub const RECENT_EVENTS: u32 = 100;
/// Most SSE connections at once (Ours 6).
pub const SSE_CONNECTIONS: usize = 64;
/// Longest line of an agent's stdout, in bytes.
pub const STDOUT_LINE_BYTES: usize = 16 * 1024 * 1024;
/// What is kept of an agent's stderr, in bytes.
pub const STDERR_TAIL_BYTES: usize = 64 * 1024;
