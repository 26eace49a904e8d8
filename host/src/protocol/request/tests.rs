use serde_json::json;

use super::*;

fn refused(body: Value) -> Fault {
    PostMessage::parse(&body, 10).unwrap_err()
}

#[test]
fn id_01_a_sender_field_is_refused_before_anything_else() {
    for field in ["from", "actor", "eventId", "provenance"] {
        let fault = refused(json!({ field: "agent:kimi", "nonsense": 1 }));
        assert_eq!(fault.code, ErrorCode::SenderFieldForbidden);
        assert_eq!(fault.details.unwrap()["forbiddenFields"], json!([field]));
    }
}

#[test]
fn turn_13_transport_and_access_cannot_be_set_by_a_request() {
    for field in ["transport", "access"] {
        let body = json!({"clientCommandId": "1", "to": ["@all"], "content": "x", field: "direct"});
        let fault = refused(body);
        assert_eq!(fault.code, ErrorCode::InvalidEnvelope);
        assert!(fault.message.contains(field), "{fault}");
    }
}

#[test]
fn targets_are_sorted_unique_agents_or_all() {
    let post = |to: Value| {
        PostMessage::parse(
            &json!({"clientCommandId": "1", "to": to, "content": "x"}),
            10,
        )
    };
    let sorted = post(json!(["agent:b", "agent:a"])).unwrap().to;
    let Targets::These(list) = sorted else {
        panic!("{sorted:?}")
    };
    assert_eq!(
        list.iter().map(ActorId::as_str).collect::<Vec<_>>(),
        ["agent:a", "agent:b"]
    );
    assert_eq!(post(json!(["@all"])).unwrap().to, Targets::all());
    for bad in [
        json!([]),
        json!(["agent:a", "agent:a"]),
        json!(["@all", "agent:a"]),
        json!(["user:web"]),
        json!("agent:a"),
        json!([1]),
    ] {
        assert_eq!(
            post(bad.clone()).unwrap_err().code,
            ErrorCode::InvalidEnvelope,
            "{bad}"
        );
    }
}

#[test]
fn lim_03_length_counts_utf16_units_and_has_its_own_code() {
    let post = |content: &str| {
        PostMessage::parse(
            &json!({"clientCommandId": "1", "to": ["@all"], "content": content}),
            10,
        )
    };
    assert!(post("😀😀😀😀😀").is_ok());
    assert_eq!(
        post("😀😀😀😀😀x").unwrap_err().code,
        ErrorCode::MessageTooLarge
    );
    assert_eq!(post("  \n").unwrap_err().code, ErrorCode::InvalidEnvelope);
    assert_eq!(post(" a ").unwrap().content, " a ");
}

#[test]
fn rest_05_every_issue_names_its_field() {
    let fault = refused(json!({"to": ["@all"], "content": 1, "extra": true}));
    let paths = fault.details.unwrap()["issues"].clone();
    assert_eq!(
        paths,
        json!([
            {"path": ["clientCommandId"], "code": "invalid_type"},
            {"path": ["content"], "code": "invalid_type"},
            {"path": ["extra"], "code": "unrecognized_keys"},
        ])
    );
}
