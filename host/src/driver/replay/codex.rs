//! How recordings of the Codex app-server read: JSON-RPC without its version, one thread a session.

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
    let (Some(id), Some(method)) = (id_of(line), text_at(line, &["method"])) else {
        return ClientLine::Other;
    };
    ClientLine::Call(Call {
        id,
        method: method.to_owned(),
        purpose: match method {
            "initialize" | "configRequirements/read" => Purpose::Handshake,
            "thread/start" | "thread/resume" => Purpose::OpenSession,
            "turn/start" => Purpose::Prompt(prompt_text(line)),
            "turn/interrupt" => Purpose::Cancel,
            _ => Purpose::Other,
        },
        session: text_at(line, &["params", "threadId"]).map(str::to_owned),
        // An empty turn id means whichever turn is running.
        turn: text_at(line, &["params", "turnId"])
            .filter(|turn| !turn.is_empty())
            .map(str::to_owned),
    })
}

fn prompt_text(line: &Value) -> String {
    let blocks = line.pointer("/params/input").and_then(Value::as_array);
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
            session: text_at(line, &["result", "thread", "id"]).map(str::to_owned),
            turn: text_at(line, &["result", "turn", "id"]).map(str::to_owned),
            ends_turn: false,
        }),
        (_, method) => AgentLine::Event(Event {
            session: text_at(line, &["params", "threadId"]).map(str::to_owned),
            ends_turn: text_at(line, &["params", "turn", "id"])
                .filter(|_| method == Some("turn/completed"))
                .map(str::to_owned),
            prepares: method == Some("mcpServer/startupStatus/updated"),
        }),
    }
}

fn readdress(answer: &Value, call: &Value) -> Value {
    let mut answer = answer.clone();
    answer["id"] = call["id"].clone();
    if let Some(thread) = answer
        .get_mut("result")
        .filter(|result| result.get("thread").is_some())
    {
        repeat_policy(thread, call);
    }
    answer
}

/// A thread's answer repeats the policy that was asked for, and the driver relies on that.
fn repeat_policy(thread: &mut Value, call: &Value) {
    let params = &call["params"];
    if let Some(policy) = params.get("approvalPolicy") {
        thread["approvalPolicy"] = policy.clone();
    }
    if let Some(cwd) = params.get("cwd") {
        thread["cwd"] = cwd.clone();
    }
    // Asked for in one spelling, answered in another.
    let sandbox = match text_at(params, &["sandbox"]) {
        Some("danger-full-access") => "dangerFullAccess",
        Some("workspace-write") => "workspaceWrite",
        Some("read-only") => "readOnly",
        _ => return,
    };
    thread["sandbox"] = json!({ "type": sandbox });
}

fn stub(call: &Value) -> Option<Value> {
    let result = match text_at(call, &["method"])? {
        "initialize" => json!({ "userAgent": "replay/0", "platformOs": "linux" }),
        "configRequirements/read" => json!({ "requirements": null }),
        "thread/start" | "thread/resume" => {
            let resumed = text_at(call, &["params", "threadId"]);
            let mut thread = json!({
                "thread": { "id": resumed.unwrap_or("00000000-0000-7000-8000-000000000000") },
                "model": "replay",
            });
            repeat_policy(&mut thread, call);
            thread
        }
        "turn/interrupt" => json!({}),
        _ => return None,
    };
    Some(json!({ "id": call["id"], "result": result }))
}

fn setup(call: &Value, answer: Option<&Value>) -> Setup {
    let config = call.pointer("/params/config").and_then(Value::as_object);
    let servers = config.into_iter().flatten().filter_map(|(key, server)| {
        let headers = server.get("http_headers").and_then(Value::as_object);
        let headers = headers.into_iter().flatten().filter_map(|(name, value)| {
            Some(Pair {
                name: name.clone(),
                value: value.as_str()?.to_owned(),
            })
        });
        Some(McpAttachment {
            name: key.strip_prefix("mcp_servers.")?.to_owned(),
            url: text_at(server, &["url"])?.to_owned(),
            headers: headers.collect(),
        })
    });
    Setup {
        resume: text_at(call, &["params", "threadId"]).map(str::to_owned),
        workdir: answer
            .and_then(|answer| text_at(answer, &["result", "cwd"]))
            .map(str::to_owned),
        mcp: servers.collect(),
        ..Setup::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threads_answer_is_given_as_if_the_drivers_policy_had_been_recorded() {
        let recorded = json!({"id": "groupx-3", "result": {
            "thread": {"id": "t"}, "approvalPolicy": "untrusted",
            "sandbox": {"type": "readOnly"}, "cwd": "<cwd>"}});
        let call = json!({"id": 3, "method": "thread/start", "params": {
            "approvalPolicy": "never", "sandbox": "danger-full-access", "cwd": "/room"}});
        assert_eq!(
            readdress(&recorded, &call),
            json!({"id": 3, "result": {
                "thread": {"id": "t"}, "approvalPolicy": "never",
                "sandbox": {"type": "dangerFullAccess"}, "cwd": "/room"}})
        );
    }

    #[test]
    fn the_recorded_clients_mcp_servers_become_the_sessions() {
        let call = json!({"id": 1, "method": "thread/resume", "params": {"threadId": "t",
            "config": {"mcp_servers.groupx": {"url": "http://x", "http_headers": {"A": "b"}}}}});
        let setup = setup(&call, None);
        assert_eq!(setup.resume.as_deref(), Some("t"));
        let [server] = &setup.mcp[..] else {
            panic!("{:?}", setup.mcp);
        };
        assert_eq!(
            (server.name.as_str(), server.url.as_str()),
            ("groupx", "http://x")
        );
        assert_eq!(server.headers[0].value, "b");
    }
}
