//! How recordings of Claude's stream-json read: control requests that are answered by their ids,
//! prompts without one, and turns without a name, each ended by a `result`.

use serde_json::{Value, json};

use super::dialect::{
    AgentLine, Answer, Call, ClientLine, Dialect, Event, Purpose, Setup, text_at,
};
use crate::driver::{McpAttachment, Pair};

pub(super) const DIALECT: Dialect = Dialect {
    client,
    agent,
    readdress,
    stub,
    fit,
    started,
    setup: |_, _| Setup::default(),
};

fn client(line: &Value) -> ClientLine {
    let (id, method, purpose) = match text_at(line, &["type"]) {
        Some("control_request") => {
            let method = text_at(line, &["request", "subtype"]).unwrap_or_default();
            let purpose = match method {
                "initialize" | "set_permission_mode" | "mcp_status" => Purpose::Handshake,
                "interrupt" => Purpose::Cancel,
                _ => Purpose::Other,
            };
            let id = text_at(line, &["request_id"]).unwrap_or_default();
            (id, method, purpose)
        }
        Some("user") => ("", "user", Purpose::Prompt(prompt_text(line))),
        _ => return ClientLine::Other,
    };
    ClientLine::Call(Call {
        id: id.to_owned(),
        method: method.to_owned(),
        purpose,
        session: None,
        turn: None,
    })
}

fn prompt_text(line: &Value) -> String {
    let content = line.pointer("/message/content");
    if let Some(text) = content.and_then(Value::as_str) {
        return text.to_owned();
    }
    let blocks = content.and_then(Value::as_array).into_iter().flatten();
    let texts = blocks.filter_map(|block| text_at(block, &["text"]));
    texts.collect::<Vec<_>>().join("\n")
}

fn agent(line: &Value) -> AgentLine {
    if text_at(line, &["type"]) == Some("control_response") {
        let id = text_at(line, &["response", "request_id"]);
        return AgentLine::Answer(Answer {
            id: id.unwrap_or_default().to_owned(),
            is_error: text_at(line, &["response", "subtype"]) == Some("error"),
            session: None,
            turn: None,
            ends_turn: false,
        });
    }
    // A turn that Claude began by itself says so at its end.
    let ends = text_at(line, &["type"]) == Some("result") && line.get("origin").is_none();
    AgentLine::Event(Event {
        session: None,
        ends_turn: ends.then(String::new),
        prepares: false,
    })
}

fn readdress(answer: &Value, call: &Value) -> Value {
    let mut answer = answer.clone();
    if let Some(response) = answer.get_mut("response") {
        response["request_id"] = call["request_id"].clone();
    }
    answer
}

fn stub(call: &Value) -> Option<Value> {
    if text_at(call, &["type"]) != Some("control_request") {
        return None;
    }
    let response = match text_at(call, &["request", "subtype"])? {
        "set_permission_mode" => json!({ "mode": call["request"]["mode"] }),
        "mcp_status" => json!({ "mcpServers": [] }),
        _ => json!({}),
    };
    let response =
        json!({ "subtype": "success", "request_id": call["request_id"], "response": response });
    Some(json!({ "type": "control_response", "response": response }))
}

/// Every turn begins with a frame that repeats folder and mode, and the driver relies on that.
fn fit(event: &Value, workdir: &str) -> Option<Value> {
    if text_at(event, &["subtype"]) != Some("init") {
        return None;
    }
    let mut event = event.clone();
    event["cwd"] = json!(workdir);
    event["permissionMode"] = json!("bypassPermissions");
    Some(event)
}

fn started(argv: &[String]) -> Setup {
    let value = |flag: &str| {
        let place = argv.iter().position(|argument| argument == flag)?;
        argv.get(place + 1).cloned()
    };
    Setup {
        session: value("--session-id"),
        resume: value("--resume"),
        workdir: None,
        mcp: value("--mcp-config").map_or_else(Vec::new, |config| servers(&config)),
    }
}

fn servers(config: &str) -> Vec<McpAttachment> {
    let config: Value = serde_json::from_str(config).unwrap_or_default();
    let servers = config.get("mcpServers").and_then(Value::as_object);
    let servers = servers.into_iter().flatten().filter_map(|(name, server)| {
        let headers = server.get("headers").and_then(Value::as_object);
        let headers = headers.into_iter().flatten().filter_map(|(name, value)| {
            Some(Pair {
                name: name.clone(),
                value: value.as_str()?.to_owned(),
            })
        });
        Some(McpAttachment {
            name: name.clone(),
            url: text_at(server, &["url"])?.to_owned(),
            headers: headers.collect(),
        })
    });
    servers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_tell_the_session_and_its_servers() {
        let argv = [
            "claude",
            "--mcp-config",
            r#"{"mcpServers":{"groupx":{"type":"http","url":"http://x","headers":{"A":"b"}}}}"#,
            "--resume",
            "s",
        ];
        let setup = started(&argv.map(str::to_owned));
        assert_eq!((setup.resume.as_deref(), setup.session), (Some("s"), None));
        let [server] = &setup.mcp[..] else {
            panic!("one server: {:?}", setup.mcp);
        };
        assert_eq!(
            (server.url.as_str(), server.headers[0].value.as_str()),
            ("http://x", "b")
        );
    }

    #[test]
    fn a_turn_of_claudes_own_does_not_end_the_prompts() {
        let ends = |line: Value| match agent(&line) {
            AgentLine::Event(event) => event.ends_turn.is_some(),
            AgentLine::Answer(_) => panic!("an event"),
        };
        assert!(ends(json!({"type": "result", "subtype": "success"})));
        assert!(!ends(
            json!({"type": "result", "origin": {"kind": "task-notification"}})
        ));
    }

    #[test]
    fn the_beginning_of_a_turn_is_given_as_if_the_drivers_way_had_been_recorded() {
        let init = json!({"type": "system", "subtype": "init", "cwd": "<cwd>", "permissionMode": "default"});
        assert_eq!(
            fit(&init, "/room"),
            Some(json!({"type": "system", "subtype": "init", "cwd": "/room",
                "permissionMode": "bypassPermissions"}))
        );
        assert_eq!(fit(&json!({"type": "result"}), "/room"), None);
    }
}
