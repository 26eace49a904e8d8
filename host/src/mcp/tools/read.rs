//! `read`: a page of a conversation, or one event in full (MCP-05, Ours 9 and 20).

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::broker::Caller;
use crate::mcp::Member;
use crate::protocol::request::Read;

use super::{Failure, reply, schema};

pub(super) const NAME: &str = "read";

const DESCRIPTION: &str = "\
Read messages and other events of the GroupX room, in the order in which they happened. Without \
arguments: the newest page of the conversation that your turn belongs to, and how its turns stand. \
It changes nothing and wakes nobody.

To go on, or to look for newer events later, call it again with `afterSeq` set to the \
`nextAfterSeq` of the last page. A text that was shortened elsewhere comes whole with \
`messageEventId`.";

pub(super) fn describe() -> Tool {
    let input = json!({
        "type": "object",
        "properties": {
            "correlationId": {
                "type": "string",
                "minLength": 1,
                "maxLength": 256,
                "description": "The conversation to read. Left out: your own.",
            },
            "afterSeq": {
                "type": "integer",
                "minimum": 0,
                "description": "Only events after this one, oldest first. Left out: the newest \
                                page.",
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 500,
                "default": 100,
                "description": "Most events in the page.",
            },
            "messageEventId": {
                "type": "string",
                "minLength": 1,
                "maxLength": 256,
                "description": "Read only this event, in full.",
            },
        },
        "additionalProperties": false,
    });
    let output = json!({
        "type": "object",
        "properties": {
            "correlationId": { "type": "string" },
            "events": {
                "type": "array",
                "description": "Who (`actor`) did what (`type`, `body`), and whom it woke (`to`).",
                "items": { "type": "object" },
            },
            "turns": {
                "type": "array",
                "description": "The turns of the conversation and how they stand.",
                "items": { "type": "object" },
            },
            "nextAfterSeq": {
                "type": "integer",
                "description": "Where the next page begins.",
            },
        },
        "required": ["correlationId", "events", "turns"],
    });
    Tool::new(NAME, DESCRIPTION, schema(input))
        .with_title("Read messages of the GroupX room")
        .with_raw_output_schema(schema(output))
        .with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
}

pub(super) async fn call(
    member: &Member,
    caller: &Caller,
    arguments: &Value,
) -> Result<Value, Failure> {
    let request = Read::parse(arguments).map_err(|fault| Failure::in_arguments(NAME, fault))?;
    let page = member.broker.read(caller, request).await;
    reply(&page.map_err(Failure::Refused)?)
}
