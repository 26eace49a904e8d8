use super::*;
use serde_json::json;

#[derive(Debug, PartialEq)]
enum Call {
    Hello,
    Work(&'static str),
}

fn text(line: Vec<u8>) -> String {
    String::from_utf8(line).unwrap()
}

#[test]
fn ids_count_from_one_and_the_version_is_the_dialects() {
    let mut codex = Peer::new(Version::Omitted);
    assert_eq!(
        text(codex.call("a", &json!({}), Call::Hello)),
        "{\"id\":1,\"method\":\"a\",\"params\":{}}\n"
    );
    assert_eq!(
        text(codex.notify("b", &json!({}))),
        "{\"method\":\"b\",\"params\":{}}\n"
    );
    let mut acp = Peer::new(Version::Two);
    assert_eq!(
        text(acp.call("a", &json!([1]), Call::Hello)),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":[1]}\n"
    );
}

#[test]
fn an_answer_comes_back_with_its_question() {
    let mut peer = Peer::new(Version::Omitted);
    peer.call("hello", &json!({}), Call::Hello);
    peer.call("work", &json!({}), Call::Work("t1"));
    let Ok(Message::Response {
        call,
        answer: Ok(result),
    }) = peer.read(r#"{"result":{"ok":1},"id":2}"#)
    else {
        panic!("not the answer");
    };
    assert_eq!((call, result.get()), (Call::Work("t1"), r#"{"ok":1}"#));
    assert_eq!(peer.open().collect::<Vec<_>>(), [&Call::Hello]);
    let Ok(Message::Response {
        answer: Err(error), ..
    }) = peer.read(r#"{"error":{"code":-32600,"message":"no"},"id":1}"#)
    else {
        panic!("not the error");
    };
    assert_eq!((error.code, error.message.as_str()), (-32600, "no"));
}

#[test]
fn a_result_of_null_is_an_answer() {
    let mut peer = Peer::new(Version::Omitted);
    peer.call("hello", &json!({}), Call::Hello);
    let read = peer.read(r#"{"id":1,"result":null}"#);
    assert!(
        matches!(read, Ok(Message::Response { answer: Ok(result), .. }) if result.get() == "null")
    );
}

#[test]
fn a_second_answer_and_an_answer_to_nothing_are_stray() {
    let mut peer = Peer::new(Version::Omitted);
    peer.call("hello", &json!({}), Call::Hello);
    let _first = peer.read(r#"{"id":1,"result":{}}"#);
    for stray in [
        r#"{"id":1,"result":{}}"#,
        r#"{"id":7,"result":{}}"#,
        r#"{"id":"1","result":{}}"#,
        r#"{"id":null,"error":{"code":-32700,"message":"parse error"}}"#,
    ] {
        assert!(matches!(peer.read(stray), Ok(Message::Stray(_))), "{stray}");
    }
}

#[test]
fn the_agents_ids_are_its_own_and_go_back_as_they_came() {
    let mut peer: Peer<Call> = Peer::new(Version::Omitted);
    for (id, line) in [
        ("0", r#"{"method":"ask","id":0}"#),
        ("\"srv-1\"", r#"{"id":"srv-1","method":"ask","params":{}}"#),
    ] {
        let Ok(Message::Request {
            id: read, method, ..
        }) = peer.read(line)
        else {
            panic!("not a request: {line}");
        };
        assert_eq!(method, "ask");
        assert_eq!(
            text(peer.answer(&read, &json!({"a": 1}))),
            format!("{{\"id\":{id},\"result\":{{\"a\":1}}}}\n")
        );
        assert_eq!(
            text(peer.refuse(&read, -32601, "no")),
            format!("{{\"id\":{id},\"error\":{{\"code\":-32601,\"message\":\"no\"}}}}\n")
        );
    }
}

#[test]
fn a_notification_may_have_its_members_in_any_order() {
    let mut peer: Peer<Call> = Peer::new(Version::Two);
    for line in [
        r#"{"jsonrpc":"2.0","method":"item\/delta","params":{"a":1}}"#,
        r#"{"emittedAtMs":5,"params":{"a":1},"method":"item/delta"}"#,
    ] {
        let read = peer.read(line);
        let Ok(Message::Notification {
            method,
            params: Some(params),
        }) = read
        else {
            panic!("not a notification: {line}");
        };
        assert_eq!((&*method, params.get()), ("item/delta", r#"{"a":1}"#));
    }
}

#[test]
fn other_json_is_alien_and_broken_json_is_lost_framing() {
    let mut peer: Peer<Call> = Peer::new(Version::Omitted);
    for alien in [
        r#"{}"#,
        r#"{"method":5}"#,
        r#"{"method":"a","id":{}}"#,
        r#"{"method":"a","method":"b"}"#,
    ] {
        assert!(matches!(peer.read(alien), Ok(Message::Alien(_))), "{alien}");
    }
    for broken in [r#"{"method":"#, r#"{"a":1}}"#, r#"{this is not json"#, "{"] {
        assert!(peer.read(broken).is_err(), "{broken}");
    }
}

#[test]
fn an_error_of_any_shape_is_read() {
    let mut peer = Peer::new(Version::Omitted);
    for (error, code, message) in [
        (r#""just words""#, 0, "\"just words\""),
        (r#"{"code":401,"message":"key"}"#, 401, "key"),
        (r#"{"message":null}"#, 0, r#"{"message":null}"#),
    ] {
        peer.call("a", &json!({}), Call::Hello);
        let line = format!(r#"{{"id":{},"error":{error}}}"#, peer.last_id);
        let Ok(Message::Response {
            answer: Err(read), ..
        }) = peer.read(&line)
        else {
            panic!("not an error: {line}");
        };
        assert_eq!((read.code, read.message.as_str()), (code, message));
    }
}
