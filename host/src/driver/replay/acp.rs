//! How recordings of agents read that speak the Agent Client Protocol: JSON-RPC with its version, a
//! prompt that is answered when its turn is over.

use serde_json::{Value, json};

use super::dialect::{
    AgentLine, Answer, Call, ClientLine, Dialect, Event, Purpose, Setup, id_of, text_at,
};
use crate::driver::{McpAttachment, Pair};

pub(super) const DIALECT: Dialect = Dialect {
    client,
    agent,
    readdress,
    stub,
    fit: |_, _| None,
    started: |_| Setup::default(),
    setup,
};

fn client(line: &Value) -> ClientLine {
    let Some(method) = text_at(line, &["method"]) else {
        return ClientLine::Other;
    };
    // A cancel is a notification: it has no id, and no answer of its own.
    let id = id_of(line);
    if id.is_none() && method != "session/cancel" {
        return ClientLine::Other;
    }
    // Two ways of taking up a session; a driver uses the one that shows whether it is still there.
    let method = match method {
        "session/resume" => "session/load",
        method => method,
    };
    ClientLine::Call(Call {
        id: id.unwrap_or_default(),
        method: method.to_owned(),
        purpose: match method {
            "initialize" | "session/set_mode" | "session/set_config_option" => Purpose::Handshake,
            "session/new" | "session/load" => Purpose::OpenSession,
            "session/prompt" => Purpose::Prompt(prompt_text(line)),
            "session/cancel" => Purpose::Cancel,
            _ => Purpose::Other,
        },
        session: text_at(line, &["params", "sessionId"]).map(str::to_owned),
        turn: None,
    })
}

fn prompt_text(line: &Value) -> String {
    let blocks = line.pointer("/params/prompt").and_then(Value::as_array);
    let texts = blocks
        .into_iter()
        .flatten()
        .filter_map(|block| text_at(block, &["text"]));
    texts.collect::<Vec<_>>().join("\n")
}

fn agent(line: &Value) -> AgentLine {
    let method = text_at(line, &["method"]);
    match (id_of(line), method) {
        (Some(id), None) => AgentLine::Answer(Answer {
            id,
            is_error: line.get("error").is_some(),
            session: text_at(line, &["result", "sessionId"]).map(str::to_owned),
            turn: None,
            ends_turn: line.pointer("/result/stopReason").is_some(),
        }),
        (_, method) => AgentLine::Event(Event {
            session: text_at(line, &["params", "sessionId"]).map(str::to_owned),
            ends_turn: None,
            // The tools of a session are there.
            prepares: method.is_some_and(|method| method.ends_with("/mcp_initialized")),
        }),
    }
}

fn readdress(answer: &Value, call: &Value) -> Value {
    let mut answer = answer.clone();
    answer["id"] = call["id"].clone();
    answer
}

fn stub(call: &Value) -> Option<Value> {
    let result = match text_at(call, &["method"])? {
        "initialize" => {
            json!({ "protocolVersion": 1, "agentCapabilities": { "loadSession": true } })
        }
        "session/new" => json!({ "sessionId": "00000000-0000-4000-8000-000000000000" }),
        "session/set_mode" | "session/set_config_option" | "session/close" => json!({}),
        _ => return None,
    };
    Some(json!({ "jsonrpc": "2.0", "id": call["id"], "result": result }))
}

fn setup(call: &Value, _answer: Option<&Value>) -> Setup {
    let servers = call.pointer("/params/mcpServers").and_then(Value::as_array);
    let servers = servers.into_iter().flatten().filter_map(|server| {
        let headers = server.get("headers").and_then(Value::as_array);
        let headers = headers.into_iter().flatten().filter_map(|header| {
            Some(Pair {
                name: text_at(header, &["name"])?.to_owned(),
                value: text_at(header, &["value"])?.to_owned(),
            })
        });
        Some(McpAttachment {
            name: text_at(server, &["name"])?.to_owned(),
            url: text_at(server, &["url"])?.to_owned(),
            headers: headers.collect(),
        })
    });
    Setup {
        resume: text_at(call, &["params", "sessionId"]).map(str::to_owned),
        workdir: text_at(call, &["params", "cwd"]).map(str::to_owned),
        mcp: servers.collect(),
        ..Setup::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancel_is_a_call_that_nobody_answers() {
        let cancel =
            json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s"}});
        let ClientLine::Call(call) = client(&cancel) else {
            panic!("a cancel is a call");
        };
        assert_eq!(
            (call.purpose, call.session.as_deref()),
            (Purpose::Cancel, Some("s"))
        );
        let other = json!({"jsonrpc": "2.0", "method": "no/such", "params": {}});
        assert_eq!(client(&other), ClientLine::Other);
        let answer = json!({"jsonrpc": "2.0", "id": 0, "result": {}});
        assert_eq!(client(&answer), ClientLine::Other);
    }

    #[test]
    fn the_answer_to_a_prompt_ends_its_turn() {
        let ends = |line: Value| match agent(&line) {
            AgentLine::Answer(answer) => answer.ends_turn,
            AgentLine::Event(_) => panic!("an answer"),
        };
        assert!(ends(json!({"id": 4, "result": {"stopReason": "end_turn"}})));
        assert!(!ends(json!({"id": 3, "result": {}})));
        let asked =
            json!({"id": 0, "method": "session/request_permission", "params": {"sessionId": "s"}});
        assert!(
            matches!(agent(&asked), AgentLine::Event(event) if event.session.as_deref() == Some("s"))
        );
    }

    #[test]
    fn a_loaded_session_is_resumed_with_its_servers() {
        let call = json!({"id": 2, "method": "session/load", "params": {"sessionId": "s", "cwd": "/room",
            "mcpServers": [{"type": "http", "name": "groupx", "url": "http://x", "headers": [{"name": "A", "value": "b"}]}]}});
        let setup = setup(&call, None);
        assert_eq!(setup.resume.as_deref(), Some("s"));
        assert_eq!(setup.workdir.as_deref(), Some("/room"));
        let [server] = &setup.mcp[..] else {
            panic!("one server: {:?}", setup.mcp);
        };
        assert_eq!(
            (server.url.as_str(), server.headers[0].value.as_str()),
            ("http://x", "b")
        );
    }
}
