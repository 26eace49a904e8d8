//! End to end: the built program, real child processes, and only what a user, a browser or an
//! agent can see of them. Each module tells the stories of one concern; `room` is the harness and
//! knows nothing of GroupX's inside except the public contract and the facts in its database.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on says where by panicking"
)]

mod room;

mod acp;
mod answers;
mod cancel;
mod claude;
mod containment;
mod demo;
mod door;
mod envelope;
mod faults;
mod idempotency;
mod kill_loop;
mod lifecycle;
mod packet;
mod real_acp;
mod real_claude;
mod real_cli;
mod real_codex;
mod recovery;
mod routing;
mod stream;
