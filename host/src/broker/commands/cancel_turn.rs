//! Somebody wants a Turn stopped (TURN-07, TURN-08).

use serde_json::json;
use tokio::sync::oneshot;

use super::{conflict, lane_gone, unreadable};
use crate::broker::Broker;
use crate::broker::lane::LaneOrder;
use crate::protocol::reply::CancelAnswer;
use crate::protocol::{BindingId, ClientCommandId, CommandId, ErrorCode, Fault, TurnId, canonical};
use crate::store::{NewCommand, Receipt};

impl Broker {
    /// Cancels a Turn that waits at once, one that is worked on through its agent. The answer comes
    /// when that is settled, or says `cancelling` after `timeouts.cancelMs`.
    ///
    /// # Errors
    /// `UNKNOWN_TARGET`, `CLIENT_COMMAND_CONFLICT`, `STORE_UNAVAILABLE`.
    pub async fn cancel_turn(
        &self,
        turn: TurnId,
        command: ClientCommandId,
    ) -> Result<CancelAnswer, Fault> {
        self.room.is_open()?;
        let store = &self.room.store;
        let _held = self.room.in_flight.hold(&command).await;
        let command_id: CommandId = self.room.sources.mint();
        let new = NewCommand {
            command_id,
            binding: BindingId::web(),
            client_command_id: command.clone(),
            kind: "turn.cancel",
            hash: canonical::hash(&json!({ "turnId": turn })),
            at: self.room.sources.now(),
        };
        match store.begin_command(new).await? {
            Receipt::Done(answer) => {
                return serde_json::from_str(&answer).map_err(|_| unreadable());
            }
            Receipt::Conflict => return Err(conflict(&command)),
            // A cancel that was cut off by a crash may be asked for again: it only ever ends a Turn.
            Receipt::New | Receipt::Unfinished => {}
        }
        let answer = match self.cancel(turn).await {
            Ok(answer) => answer,
            Err(fault) => {
                if fault.code == ErrorCode::UnknownTarget {
                    store.drop_command(BindingId::web(), command).await?;
                }
                return Err(fault);
            }
        };
        // invariant: an answer is a struct of strings; it always serializes
        store
            .finish_command(
                BindingId::web(),
                command,
                serde_json::to_string(&answer).unwrap_or_default(),
            )
            .await?;
        Ok(answer)
    }

    async fn cancel(&self, turn: TurnId) -> Result<CancelAnswer, Fault> {
        let Some(row) = self.room.store.turn(turn.clone()).await? else {
            let text = format!("There is no Turn {turn} in this room.");
            return Err(Fault::new(ErrorCode::UnknownTarget, text));
        };
        if row.status.is_terminal() {
            return Ok(CancelAnswer {
                turn_id: turn,
                accepted: false,
                status: row.status,
            });
        }
        let (answer, heard) = oneshot::channel();
        self.room
            .order(&row.target, LaneOrder::Cancel { turn, answer })
            .await?;
        heard.await.unwrap_or_else(|_| Err(lane_gone()))
    }
}
