//! Waiting: for something to become true, never for time to pass. Every wait ends with a sentence.

use std::time::{Duration, Instant};

/// Long enough for a busy machine that compiles its first driver, short enough to notice a hang.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);
/// Between two looks at something that cannot tell us by itself.
const LOOK: Duration = Duration::from_millis(5);

/// Looks again and again until `probe` finds something, and panics with `what` when it never does.
pub(crate) async fn eventually<T>(what: &str, mut probe: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = probe().await {
            return found;
        }
        assert!(Instant::now() < deadline, "never happened: {what}");
        tokio::time::sleep(LOOK).await;
    }
}

/// Lets `future` take as long as a story's patience lasts.
pub(crate) async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, future).await {
        Ok(value) => value,
        Err(_) => panic!("never happened: {what}"),
    }
}
