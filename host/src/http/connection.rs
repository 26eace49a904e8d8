//! One TCP connection: requests in, responses out, and an end that loses no response.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::entrance::Entrance;
use super::patience::Patient;

/// An idle connection is kept this long.
const IDLE: Duration = Duration::from_secs(120);
/// What one connection buffers, in bytes: enough for one write, little enough for many stuck ones.
const BUFFER: usize = 64 * 1024;
/// How long, and how much, is read and thrown away after the last response.
const LINGER: Duration = Duration::from_secs(2);
const LINGER_BYTES: u64 = 64 * 1024 * 1024;

/// Serves one connection to its end. A reader that takes nothing for `patience` while something
/// waits ends it; once `closing` is cancelled the response in work still goes out, and nothing else.
pub(super) async fn serve(
    stream: TcpStream,
    entrance: Arc<Entrance>,
    patience: Duration,
    closing: CancellationToken,
) {
    // Events are small and a person waits for them: never held back to fill a packet.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY could not be set");
    }
    let service = service_fn(move |request: Request<Incoming>| {
        let entrance = Arc::clone(&entrance);
        Box::pin(async move { Ok::<_, Infallible>(entrance.answer(request.map(Body::new)).await) })
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(Patient::new(stream, patience)), service);

    let mut closed = pin!(closing.cancelled());
    let mut told = false;
    let served = poll_fn(|context| {
        if !told && closed.as_mut().poll(context).is_ready() {
            told = true;
            std::pin::Pin::new(&mut connection).graceful_shutdown();
        }
        connection.poll_without_shutdown(context)
    })
    .await;
    match served {
        Ok(()) => {
            let stream = connection.into_parts().io.into_inner();
            let _ = closing.run_until_cancelled(linger(stream)).await;
        }
        // A browser tab that was closed is no news.
        Err(error) => tracing::debug!(%error, "a connection ended early"),
    }
}

/// Ends our side and reads on for a moment. A refusal goes out before the body is read, and a
/// socket that is closed over unread bytes is reset, which can take the refusal with it.
async fn linger(mut stream: Patient<TcpStream>) {
    if stream.shutdown().await.is_err() {
        return;
    }
    let mut rest = stream.take(LINGER_BYTES);
    let mut sink = tokio::io::sink();
    let _ = timeout(LINGER, tokio::io::copy(&mut rest, &mut sink)).await;
}
