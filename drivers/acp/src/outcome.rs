//! What a turn comes to: a function of the agent's answer and of what was seen on the way. Pure.
//!
//! Agents end failed turns in many ways: with an error, with `end_turn` and the error as text, with
//! `end_turn` and nothing at all. And they answer a stopped prompt with `cancelled`, `end_turn` or an error.
//! So no stop reason is believed alone.
//!
//! The rule for a cancel that races the end: whatever answers a stopped prompt, the turn is cancelled,
//! unless the whole answer was there before the cancel was sent. Only the agent's own closing of its books
//! (the usage it counts after the last words) proves that.

use crate::agent::Agent;
use crate::errors;
use groupx_driver_sdk::jsonrpc::RpcError;
use groupx_driver_sdk::{Failure, text};
use serde_json::Value;

/// What was seen of a turn until its answer came.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen<'a> {
    /// The answer has words.
    pub(crate) words: bool,
    /// A tool was called.
    pub(crate) tools: bool,
    /// The agent asked for a permission.
    pub(crate) asked: bool,
    /// The turn was to be stopped.
    pub(crate) stopped: bool,
    /// The answer was whole when the stop was sent.
    pub(crate) whole: bool,
    /// How the answer begins.
    pub(crate) head: &'a str,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Terminal {
    Completed { stop_reason: Option<String> },
    Failed(Failure),
    Cancelled,
}

/// The end, and why the session is of no use after it.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) terminal: Terminal,
    pub(crate) restart: Option<String>,
}

/// `title` is the agent's name for people.
pub(crate) fn of(
    answer: Result<&Value, &RpcError>,
    seen: Seen,
    agent: &Agent,
    title: &str,
    max_json: u32,
) -> Outcome {
    let stuck = match answer {
        Ok(answer) if answer["stopReason"] != "cancelled" && late_cancel(seen, agent) => true,
        Ok(answer) => is_stuck(answer, seen, agent),
        Err(_) => late_cancel(seen, agent),
    };
    let terminal = match answer {
        _ if seen.asked => Terminal::Failed(question(title)),
        Err(_) if seen.stopped => Terminal::Cancelled,
        _ if stuck && !seen.stopped => {
            let message = format!("{title} was stuck and took no message; it is started again");
            Terminal::Failed(Failure {
                retryable: true,
                ..errors::failure("internal", &message)
            })
        }
        Err(error) => Terminal::Failed(errors::of_call(title, error, max_json)),
        Ok(answer) => of_stop(answer, seen, agent, title),
    };
    let restart = stuck.then(|| format!("{title} will not answer again in this session"));
    Outcome { terminal, restart }
}

/// A question that nobody here answers.
pub(crate) fn question(title: &str) -> Failure {
    let message = format!("{title} asked a question, and none is answered here");
    errors::failure("refused", &message)
}

fn of_stop(answer: &Value, seen: Seen, agent: &Agent, title: &str) -> Terminal {
    let reason = answer["stopReason"].as_str();
    let failed = |code: &str, message: String| Terminal::Failed(errors::failure(code, &message));
    match reason {
        _ if seen.stopped && !seen.whole => Terminal::Cancelled,
        Some("cancelled") if seen.stopped => Terminal::Cancelled,
        Some("cancelled") => failed("internal", format!("{title} stopped the turn by itself")),
        Some("refusal") => failed("refused", format!("{title} refused to go on")),
        _ if agent.usage_proves_success && !has_usage(answer, agent) => {
            Terminal::Failed(told_as_text(seen.head, agent, title))
        }
        _ if !seen.words && !seen.tools => {
            let how = match agent.on_silence {
                "" => String::new(),
                why => format!(", {why}"),
            };
            failed(
                "empty-answer",
                format!("{title} ended the turn without an answer{how}"),
            )
        }
        reason => Terminal::Completed {
            stop_reason: reason.map(|reason| text::one_line(reason, 64)),
        },
    }
}

/// The text is the reason where it names one; otherwise it is only what there was before the failure.
fn told_as_text(head: &str, agent: &Agent, title: &str) -> Failure {
    if agent
        .failure_words
        .iter()
        .any(|words| head.starts_with(words))
    {
        return errors::of_text(title, head);
    }
    let message = match head {
        "" => format!("{title} could not answer: its model failed"),
        head => format!(
            "{title} could not finish its answer, which begins: {}",
            text::one_line(head, 160)
        ),
    };
    Failure {
        retryable: true,
        ..errors::failure("internal", &message)
    }
}

/// The cancel found nothing to cancel, so it waits for the next prompt.
fn late_cancel(seen: Seen, agent: &Agent) -> bool {
    seen.stopped && agent.unheard_cancel_sticks
}

fn is_stuck(answer: &Value, seen: Seen, agent: &Agent) -> bool {
    agent
        .stuck
        .is_some_and(|sign| seen.head.starts_with(sign) && !seen.tools && !has_usage(answer, agent))
}

fn has_usage(answer: &Value, agent: &Agent) -> bool {
    let mut places = agent.usage_at.iter();
    places.any(|at| answer.pointer(at).is_some_and(Value::is_object))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::{HERMES, KIMI};
    use serde_json::json;

    const PLAIN: Agent = Agent::UNKNOWN;

    fn words() -> Seen<'static> {
        Seen {
            words: true,
            head: "hello",
            ..Seen::default()
        }
    }

    fn stopped(whole: bool) -> Seen<'static> {
        Seen {
            stopped: true,
            whole,
            ..words()
        }
    }

    fn error() -> RpcError {
        RpcError {
            code: -32603,
            message: "boom".into(),
            raw: "{}".into(),
        }
    }

    fn told(answer: Result<&Value, &RpcError>, seen: Seen, agent: &Agent) -> String {
        let outcome = of(answer, seen, agent, "It", 1_000);
        let restart = if outcome.restart.is_some() {
            ", restart"
        } else {
            ""
        };
        match outcome.terminal {
            Terminal::Completed { .. } => format!("completed{restart}"),
            Terminal::Cancelled => format!("cancelled{restart}"),
            Terminal::Failed(failure) => format!("{}: {}{restart}", failure.code, failure.message),
        }
    }

    fn end(reason: &str) -> Value {
        json!({ "stopReason": reason })
    }

    #[test]
    fn an_end_is_believed_only_with_something_to_show() {
        let end_turn = end("end_turn");
        assert_eq!(told(Ok(&end_turn), words(), &PLAIN), "completed");
        let tools = Seen {
            tools: true,
            ..Seen::default()
        };
        assert_eq!(told(Ok(&end_turn), tools, &PLAIN), "completed");
        assert_eq!(
            told(Ok(&end_turn), Seen::default(), &PLAIN),
            "empty-answer: It ended the turn without an answer"
        );
        assert_eq!(
            told(Ok(&end_turn), Seen::default(), &KIMI),
            "empty-answer: It ended the turn without an answer, as it does when its model refuses a request"
        );
        assert_eq!(told(Ok(&end("next_year")), words(), &PLAIN), "completed");
        assert_eq!(told(Ok(&json!(null)), words(), &PLAIN), "completed");
        assert_eq!(
            told(Ok(&end("refusal")), words(), &PLAIN),
            "refused: It refused to go on"
        );
        assert_eq!(
            told(Ok(&end("cancelled")), words(), &PLAIN),
            "internal: It stopped the turn by itself"
        );
    }

    #[test]
    fn w21_a_stopped_turn_is_cancelled_whatever_answers_it_unless_the_answer_was_whole() {
        for reason in ["end_turn", "cancelled", "refusal", "max_tokens"] {
            assert_eq!(
                told(Ok(&end(reason)), stopped(false), &PLAIN),
                "cancelled",
                "{reason}"
            );
        }
        assert_eq!(
            told(Ok(&end("end_turn")), stopped(true), &PLAIN),
            "completed"
        );
        assert_eq!(
            told(Ok(&end("cancelled")), stopped(true), &PLAIN),
            "cancelled"
        );
        assert_eq!(told(Err(&error()), stopped(true), &PLAIN), "cancelled");
        assert_eq!(told(Err(&error()), words(), &PLAIN), "internal: It: boom");
    }

    #[test]
    fn int_01_a_question_fails_the_turn_whatever_answers_it() {
        let asked = Seen {
            asked: true,
            ..stopped(true)
        };
        let failed = "refused: It asked a question, and none is answered here";
        assert_eq!(told(Ok(&end("end_turn")), asked, &PLAIN), failed);
        assert_eq!(told(Ok(&end("cancelled")), asked, &PLAIN), failed);
        assert_eq!(told(Err(&error()), asked, &PLAIN), failed);
    }

    #[test]
    fn where_figures_prove_success_text_without_them_is_the_reason() {
        let real = json!({ "stopReason": "end_turn", "usage": { "inputTokens": 1 } });
        let error_text = Seen {
            head: "HTTP 401: bad key",
            ..words()
        };
        assert_eq!(told(Ok(&real), error_text, &HERMES), "completed");
        assert_eq!(
            told(Ok(&end("end_turn")), error_text, &HERMES),
            "not-authenticated: It: HTTP 401: bad key"
        );
        assert_eq!(
            told(Ok(&end("end_turn")), words(), &HERMES),
            "internal: It could not finish its answer, which begins: hello"
        );
        assert_eq!(told(Ok(&end("end_turn")), error_text, &PLAIN), "completed");
    }

    #[test]
    fn a_stuck_session_is_recognized_and_given_up() {
        let queued = Seen {
            head: "Queued for the next turn. (1 queued)",
            ..words()
        };
        let failed = "internal: It was stuck and took no message; it is started again, restart";
        assert_eq!(told(Ok(&end("end_turn")), queued, &HERMES), failed);
        assert_eq!(told(Ok(&end("end_turn")), queued, &PLAIN), "completed");
        assert_eq!(
            told(Err(&error()), stopped(false), &HERMES),
            "cancelled, restart"
        );
        assert_eq!(
            told(Ok(&end("end_turn")), stopped(false), &HERMES),
            "cancelled, restart"
        );
        assert_eq!(
            told(Ok(&end("cancelled")), stopped(false), &HERMES),
            "cancelled"
        );
        let real = json!({ "stopReason": "end_turn", "usage": { "inputTokens": 1 } });
        assert_eq!(told(Ok(&real), queued, &HERMES), "completed");
    }
}
