//! The page's types are these types: written from here, and held to be current by a test.
//!
//! `GROUPX_BLESS=1 cargo test -p groupx --lib typescript` rewrites the file after a change.

use std::fmt::Write;

use ts_rs::{Config, TS};

use super::{actor, body, envelope, error, id, reply, turn};

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../web/src/generated/protocol.ts"
);

/// The shape of a refused request; `Fault::body` writes it by hand.
#[derive(TS)]
#[allow(dead_code)]
struct ErrorBody {
    error: ErrorDetail,
}

#[derive(TS)]
#[allow(dead_code)]
struct ErrorDetail {
    code: error::ErrorCode,
    message: String,
    #[ts(optional, type = "Record<string, unknown>")]
    details: Option<serde_json::Value>,
}

macro_rules! declared {
    ($($kind:ty),+ $(,)?) => {{
        let config = Config::default();
        vec![$(<$kind as TS>::decl(&config)),+]
    }};
}

fn module() -> String {
    let declarations = declared![
        id::EventId,
        id::TurnId,
        id::CorrelationId,
        id::ActorId,
        id::AgentId,
        id::InstanceId,
        id::Seq,
        super::Timestamp,
        actor::ActorKind,
        actor::ActorRef,
        envelope::Durability,
        envelope::EventType,
        envelope::SourceKind,
        envelope::Provenance,
        envelope::Envelope,
        turn::TurnStatus,
        turn::Transport,
        body::TurnUsage,
        error::ErrorCode,
        ErrorDetail,
        ErrorBody,
        reply::AcceptedTurn,
        reply::Accepted,
        reply::CancelAnswer,
        reply::AgentStatus,
        reply::ToolsState,
        reply::AgentCapabilities,
        reply::DriverSummary,
        reply::BootstrapAgent,
        reply::ActiveTurn,
        reply::RoomHead,
        reply::PreviousPage,
        reply::HistoryPage,
        reply::Bootstrap,
        reply::Readiness,
        reply::AgentHealth,
        reply::StoreHealth,
        reply::Health,
    ];
    let mut text = String::from(
        "// Written by the host from its own types; see host/src/protocol/typescript.rs.\n",
    );
    for declaration in declarations {
        // Writing to a String cannot fail.
        let _ = write!(text, "\nexport {declaration}\n");
    }
    text
}

#[test]
fn the_page_is_built_against_the_hosts_own_types() {
    let current = module();
    if std::env::var_os("GROUPX_BLESS").is_some() {
        std::fs::write(FILE, &current).unwrap();
    }
    let kept = std::fs::read_to_string(FILE).unwrap();
    assert!(
        kept == current,
        "web/src/generated/protocol.ts is not current. Run: GROUPX_BLESS=1 cargo test -p groupx --lib typescript"
    );
}
