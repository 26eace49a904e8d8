//! `publish`: one public message that wakes nobody (MCP-02).

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::broker::Caller;
use crate::mcp::Member;
use crate::protocol::limits::CONTENT_CHARACTERS;
use crate::protocol::request::Publish;

use super::{Failure, reply, schema};

pub(super) const NAME: &str = "publish";

const DESCRIPTION: &str = "\
Post one public message to the GroupX room. The user and every agent can read it at once; it \
wakes nobody and starts no turn, whatever names stand in it. Agents that are working see it when \
they call `read`, the others at the start of their next turn. Returns the id of the message.";

pub(super) fn describe() -> Tool {
    let input = json!({
        "type": "object",
        "properties": {
            "content": {
                "type": "string",
                "minLength": 1,
                "maxLength": CONTENT_CHARACTERS,
                "description": "The message, as Markdown.",
            },
            "replyToEventId": {
                "type": "string",
                "minLength": 1,
                "maxLength": 256,
                "description": "The id of the event that the message visibly answers. Left out: \
                                the message that your turn is about.",
            },
            "clientCommandId": {
                "type": "string",
                "minLength": 1,
                "maxLength": 128,
                "description": "A name of your choice for this call, new for every message.",
            },
        },
        "required": ["content", "clientCommandId"],
        "additionalProperties": false,
    });
    let output = json!({
        "type": "object",
        "properties": {
            "messageEventId": { "type": "string", "description": "The id of the message." },
            "correlationId": { "type": "string", "description": "Its conversation." },
        },
        "required": ["messageEventId", "correlationId"],
    });
    Tool::new(NAME, DESCRIPTION, schema(input))
        .with_title("Post a message to the GroupX room")
        .with_raw_output_schema(schema(output))
        .with_annotations(
            ToolAnnotations::new()
                .read_only(false)
                .destructive(false)
                .idempotent(true)
                .open_world(false),
        )
}

pub(super) async fn call(
    member: &Member,
    caller: &Caller,
    arguments: &Value,
) -> Result<Value, Failure> {
    let request = Publish::parse(arguments, member.message_characters)
        .map_err(|fault| Failure::in_arguments(NAME, fault))?;
    let published = member.broker.publish(caller, request).await;
    reply(&published.map_err(Failure::Refused)?)
}
