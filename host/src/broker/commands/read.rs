//! An agent reads the room (MCP-05): a chain by cursor, or one event in full.

use serde::Serialize;

use crate::broker::Broker;
use crate::broker::callers::Caller;
use crate::protocol::request::Read;
use crate::protocol::{
    ActorId, CorrelationId, Envelope, ErrorCode, EventId, Fault, Seq, TurnId, TurnStatus,
};

/// Turns shown beside a page.
const TURNS: u32 = 200;

/// One Turn of the chain.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadTurn {
    target: ActorId,
    turn_id: TurnId,
    status: TurnStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_event_id: Option<EventId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_code: Option<String>,
}

/// What `read` gives.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadPage {
    correlation_id: CorrelationId,
    events: Vec<Envelope>,
    turns: Vec<ReadTurn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_after_seq: Option<Seq>,
}

impl Broker {
    /// A page of a chain, the caller's own where none is named; its newest without a cursor.
    ///
    /// # Errors
    /// `MCP_BINDING_MISMATCH` without a running Turn, `UNKNOWN_TARGET` for an unknown event,
    /// `STORE_UNAVAILABLE`.
    pub async fn read(&self, caller: &Caller, request: Read) -> Result<ReadPage, Fault> {
        let store = &self.room.store;
        let turn = self.room.callers.turn_of(caller)?;
        if let Some(id) = request.message_event_id {
            let Some(frame) = store.event(id.clone()).await? else {
                let text = format!("There is no event {id} in this room.");
                return Err(Fault::new(ErrorCode::UnknownTarget, text));
            };
            let event = frame.envelope()?;
            let correlation_id = event.correlation_id.clone();
            return Ok(ReadPage {
                correlation_id,
                events: vec![event],
                turns: Vec::new(),
                next_after_seq: None,
            });
        }
        let correlation_id = request.correlation_id.unwrap_or(turn.root_correlation_id);
        let frames = store
            .events_of(correlation_id.clone(), request.after_seq, request.limit)
            .await?;
        let next_after_seq = frames.last().map(|frame| frame.seq).or(request.after_seq);
        let events = frames
            .iter()
            .map(|frame| frame.envelope())
            .collect::<Result<_, _>>()?;
        let turns = store.turns_of(correlation_id.clone(), TURNS).await?;
        let turns = turns.into_iter().map(|outcome| ReadTurn {
            target: outcome.turn.target,
            turn_id: outcome.turn.turn_id,
            status: outcome.turn.status,
            response_event_id: outcome.response_event_id,
            error_code: outcome.error_code,
        });
        Ok(ReadPage {
            correlation_id,
            events,
            turns: turns.collect(),
            next_after_seq,
        })
    }
}
