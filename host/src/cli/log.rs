//! What the rooms say for developers: to stderr, filtered by `GROUPX_LOG` (`warn` when unset).

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

/// From here on `tracing` is heard. A filter that cannot be read counts as unset.
pub(super) fn begin() {
    let wanted = std::env::var("GROUPX_LOG").ok();
    let filter = wanted.and_then(|text| EnvFilter::try_new(text).ok());
    let subscriber = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_env_filter(filter.unwrap_or_else(|| EnvFilter::new("warn")))
        .finish();
    // Only a second call could fail, and there is none.
    let _ = tracing::subscriber::set_global_default(subscriber);
}
