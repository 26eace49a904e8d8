//! The user replaces an agent's session.

use serde_json::json;
use tokio::sync::oneshot;

use super::{conflict, lane_gone, unreadable};
use crate::broker::Broker;
use crate::broker::lane::LaneOrder;
use crate::protocol::reply::RestartAnswer;
use crate::protocol::{
    ActorId, BindingId, ClientCommandId, CommandId, ErrorCode, Fault, canonical,
};
use crate::store::{NewCommand, Receipt};

impl Broker {
    /// Ends an agent's session and starts another; answers when that one is ready.
    ///
    /// # Errors
    /// `UNKNOWN_TARGET`, `SESSION_NOT_AVAILABLE` when no session came, `CLIENT_COMMAND_CONFLICT`,
    /// `STORE_CONFLICT` for a restart that a crash cut off, `STORE_UNAVAILABLE`.
    pub async fn restart_agent(
        &self,
        actor: ActorId,
        command: ClientCommandId,
    ) -> Result<RestartAnswer, Fault> {
        self.room.is_open()?;
        let Some(agent) = actor
            .agent()
            .filter(|_| self.room.lanes.contains_key(&actor))
        else {
            let text =
                format!("There is no {actor} in this room, or it is disabled in groupx.json.");
            return Err(Fault::new(ErrorCode::UnknownTarget, text));
        };
        let store = &self.room.store;
        let _held = self.room.in_flight.hold(&command).await;
        let command_id: CommandId = self.room.sources.mint();
        let new = NewCommand {
            command_id,
            binding: BindingId::web(),
            client_command_id: command.clone(),
            kind: "agent.restart",
            hash: canonical::hash(&json!({ "actorId": actor })),
            at: self.room.sources.now(),
        };
        match store.begin_command(new).await? {
            Receipt::New => {}
            Receipt::Done(answer) => {
                return serde_json::from_str(&answer).map_err(|_| unreadable());
            }
            Receipt::Conflict => return Err(conflict(&command)),
            Receipt::Unfinished => {
                let text = "This restart was begun and its end is not known. Ask again with a new clientCommandId.";
                return Err(Fault::new(ErrorCode::StoreConflict, text));
            }
        }
        let previous = self
            .room
            .board
            .notice(&agent)
            .and_then(|notice| notice.instance);
        let mut answer = match self.restart(&actor).await {
            Ok(answer) => answer,
            Err(fault) => {
                store.drop_command(BindingId::web(), command).await?;
                return Err(fault);
            }
        };
        answer.previous_instance_id = previous;
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

    async fn restart(&self, actor: &ActorId) -> Result<RestartAnswer, Fault> {
        let (answer, heard) = oneshot::channel();
        self.room
            .order(actor, LaneOrder::Restart { answer })
            .await?;
        heard.await.unwrap_or_else(|_| Err(lane_gone()))
    }
}
