use super::*;
use groupx_driver_sdk::Input;

#[test]
fn a_session_is_closed_where_that_is_offered() {
    let capabilities = json!({ "sessionCapabilities": { "close": {} } });
    let mut story = greeted(config(), json!({ "agentCapabilities": capabilities }));
    opens(&mut story, json!({}));
    story.input(Input::Close);
    assert_eq!(story.called("session/close"), json!({ "sessionId": "s1" }));
    story.input(Input::Close).wrote_nothing();
}

#[test]
fn elsewhere_only_a_prompt_in_flight_is_cancelled() {
    ready().input(Input::Close).wrote_nothing();
    let mut story = running();
    story.input(Input::Close).called("session/cancel");
    story.ends("cancelled").told(&["t1 cancelled"]);
}
