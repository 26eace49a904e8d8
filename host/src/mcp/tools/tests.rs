use crate::mcp::words;
use crate::protocol::request::{Publish, Read};

use super::*;

fn properties(tool: &Tool) -> Vec<&String> {
    tool.input_schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .collect()
}

/// What the parser of `tool` makes of these arguments.
fn parse(tool: MemberTool, arguments: &Value) -> Result<(), Fault> {
    match tool {
        MemberTool::Publish => Publish::parse(arguments, 100).map(drop),
        MemberTool::Read => Read::parse(arguments).map(drop),
    }
}

fn example(schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("integer") => json!(5),
        _ => json!("text"),
    }
}

#[test]
fn mcp_09_a_schema_and_the_parser_behind_it_know_the_same_fields() {
    for tool in MemberTool::ALL {
        let described = tool.describe();
        assert_eq!(described.input_schema["additionalProperties"], false);
        let all: Value = properties(&described)
            .into_iter()
            .map(|name| {
                (
                    name.clone(),
                    example(&described.input_schema["properties"][name]),
                )
            })
            .collect();
        assert_eq!(parse(tool, &all), Ok(()), "{}", described.name);

        let required = described
            .input_schema
            .get("required")
            .cloned()
            .unwrap_or_default();
        let required: Vec<String> = serde_json::from_value(required).unwrap_or_default();
        for name in properties(&described) {
            let mut without = all.clone();
            without.as_object_mut().unwrap().remove(name);
            assert_eq!(
                parse(tool, &without).is_err(),
                required.contains(name),
                "{name}"
            );
        }
        let mut more = all.clone();
        more["unheard"] = json!(1);
        assert!(parse(tool, &more).is_err());
    }
}

#[test]
fn id_01_a_sender_field_is_refused_before_anything_else_about_the_call() {
    for tool in MemberTool::ALL {
        for field in ["from", "actor", "eventId", "provenance"] {
            let fault = parse(tool, &json!({ field: "user:web", "unheard": 1 })).unwrap_err();
            assert_eq!(fault.code, ErrorCode::SenderFieldForbidden);
            let failure = Failure::in_arguments("publish", fault);
            let read = serde_json::to_value(result(Err(failure))).unwrap();
            let text = read["content"][0]["text"].as_str().unwrap();
            let error: Value = serde_json::from_str(text).unwrap();
            assert_eq!(error["code"], "SENDER_FIELD_FORBIDDEN");
            assert_eq!(error["details"]["forbiddenFields"][0], field);
            assert_eq!(read["isError"], true);
            assert!(read.get("structuredContent").is_none());
        }
    }
}

#[test]
fn mcp_09_a_result_is_text_and_structure_and_a_wrong_call_is_plain_text() {
    let read = serde_json::to_value(result(Ok(json!({ "messageEventId": "evt_1" })))).unwrap();
    assert_eq!(read["content"][0]["text"], "{\"messageEventId\":\"evt_1\"}");
    assert_eq!(read["structuredContent"]["messageEventId"], "evt_1");
    assert_ne!(read["isError"], true);

    let fault = parse(MemberTool::Publish, &json!({})).unwrap_err();
    let failures = [
        Failure::in_arguments("publish", fault),
        Failure::unknown("shout"),
    ];
    for failure in failures {
        let read = serde_json::to_value(result(Err(failure))).unwrap();
        let text = read["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("MCP error -32602: "), "{text}");
        assert_eq!(read["isError"], true);
    }
}

#[test]
fn mcp_10_the_texts_can_be_found_by_words_and_name_no_way_of_working() {
    let mut all = words::INSTRUCTIONS.to_lowercase();
    for tool in MemberTool::ALL {
        let tool = tool.describe();
        let text = format!("{:?} {:?}", tool.title, tool.description).to_lowercase();
        for word in ["groupx", "room", "message"] {
            assert!(text.contains(word), "{}: {word}", tool.name);
        }
        all.push_str(&text);
    }
    for word in [
        "coordinator",
        "leader",
        "moderator",
        "round",
        "topology",
        "vote",
        "final",
    ] {
        assert!(!all.contains(word), "{word}");
    }
}
