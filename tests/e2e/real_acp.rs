//! The real CLIs that speak ACP, pinned, with a scripted model behind each: Kimi Code, Hermes, Grok.

use crate::real_cli::{
    a_model_error_fails_the_turn_and_the_next_works, goes_on_after_groupx_was_killed,
    is_cancelled_in_text_and_in_a_tool_and_goes_on, publishes_through_our_endpoint,
    rides_out_a_failing_model, thinks_uses_a_tool_and_answers,
};
use crate::room::{GROK, HERMES, KIMI, RealRoom};

#[tokio::test]
async fn drv_03_kimi_thinks_uses_a_tool_and_answers() {
    thinks_uses_a_tool_and_answers(&KIMI).await;
}

#[tokio::test]
async fn drv_03_hermes_thinks_uses_a_tool_and_answers() {
    thinks_uses_a_tool_and_answers(&HERMES).await;
}

#[tokio::test]
async fn drv_03_grok_thinks_uses_a_tool_and_answers() {
    thinks_uses_a_tool_and_answers(&GROK).await;
}

#[tokio::test]
async fn mcp_02_kimi_publishes_through_our_endpoint() {
    publishes_through_our_endpoint(&KIMI).await;
}

#[tokio::test]
async fn mcp_02_hermes_publishes_through_our_endpoint() {
    publishes_through_our_endpoint(&HERMES).await;
}

#[tokio::test]
async fn mcp_02_grok_publishes_through_our_endpoint() {
    publishes_through_our_endpoint(&GROK).await;
}

#[tokio::test]
async fn turn_08_kimi_is_cancelled_in_text_and_in_a_tool_and_goes_on() {
    is_cancelled_in_text_and_in_a_tool_and_goes_on(&KIMI, 0).await;
}

/// In the tool Hermes sticks, and a new process takes up its session.
#[tokio::test]
async fn turn_08_hermes_is_cancelled_in_text_and_in_a_tool_and_goes_on() {
    is_cancelled_in_text_and_in_a_tool_and_goes_on(&HERMES, 1).await;
}

#[tokio::test]
async fn turn_08_grok_is_cancelled_in_text_and_in_a_tool_and_goes_on() {
    is_cancelled_in_text_and_in_a_tool_and_goes_on(&GROK, 0).await;
}

#[tokio::test]
async fn turn_06_kimi_goes_on_after_groupx_was_killed() {
    goes_on_after_groupx_was_killed(&KIMI).await;
}

#[tokio::test]
async fn turn_06_hermes_goes_on_after_groupx_was_killed() {
    goes_on_after_groupx_was_killed(&HERMES).await;
}

#[tokio::test]
async fn turn_06_grok_goes_on_after_groupx_was_killed() {
    goes_on_after_groupx_was_killed(&GROK).await;
}

#[tokio::test]
async fn drv_03_kimi_ends_a_refused_turn_without_a_word_and_it_still_fails() {
    let reasons = ["without an answer", "bad key"];
    a_model_error_fails_the_turn_and_the_next_works(&KIMI, reasons).await;
}

#[tokio::test]
async fn drv_03_hermes_tells_an_error_as_its_answer_and_it_still_fails() {
    let reasons = ["the model refuses this", "bad key"];
    a_model_error_fails_the_turn_and_the_next_works(&HERMES, reasons).await;
}

#[tokio::test]
async fn drv_03_a_model_error_of_grok_fails_the_turn_and_the_next_works() {
    let reasons = ["the model refuses this", "bad key"];
    a_model_error_fails_the_turn_and_the_next_works(&GROK, reasons).await;
}

#[tokio::test]
async fn drv_03_kimi_rides_out_a_failing_model() {
    rides_out_a_failing_model(&KIMI).await;
}

#[tokio::test]
async fn drv_03_hermes_rides_out_a_failing_model() {
    rides_out_a_failing_model(&HERMES).await;
}

#[tokio::test]
async fn drv_03_grok_rides_out_a_failing_model() {
    rides_out_a_failing_model(&GROK).await;
}

/// Grok says that it begins anew, so what the broken stream said is taken back.
#[tokio::test]
async fn drv_03_grok_says_an_answer_once_although_its_stream_was_cut() {
    let real = RealRoom::of(&GROK).await;
    let turn = real
        .say("MOCK:text begun and\nMOCK:drop x1\nMOCK:text  done")
        .await;
    assert_eq!(real.room.answer(&turn).await, "begun anddone");
}
