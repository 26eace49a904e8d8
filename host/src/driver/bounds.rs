//! How large the answers of a driver may be, and that its JSON is JSON.

use serde::de::IgnoredAny;

use super::fault::{Call, DriverFault};
use super::{Content, Failure, Input, Limits, Output, ToolContent};

/// Bytes of native data in `inputs`; what a call may cost grows with them.
pub(super) fn input_bytes(inputs: &[Input]) -> usize {
    inputs.iter().map(bytes_of_input).sum()
}

fn bytes_of_input(input: &Input) -> usize {
    match input {
        Input::Frame(line) => line.len(),
        Input::FrameOversized(ends) => ends.head.len() + ends.tail.len(),
        Input::StderrLine(line) => line.len(),
        Input::Prompt(prompt) => prompt
            .content
            .iter()
            .map(|Content::Text(text)| text.len())
            .sum(),
        Input::Ext(ext) => ext.name.len() + ext.value.len(),
        Input::ProcessStarted
        | Input::StdoutEof
        | Input::ProcessExited(_)
        | Input::Timer(_)
        | Input::Cancel(_)
        | Input::Close => 0,
    }
}

/// Holds the outputs of one step to the session's limits.
pub(super) fn check(driver: &str, limits: &Limits, outputs: &[Output]) -> Result<(), DriverFault> {
    let limit = limits.max_output as usize;
    if outputs.iter().map(bytes_of_output).sum::<usize>() > limit {
        return Err(DriverFault::OutputTooLarge {
            driver: driver.to_owned(),
            call: Call::Step,
            limit,
        });
    }
    for (field, json) in outputs.iter().filter_map(json_of) {
        let bad = |reason| DriverFault::Json {
            driver: driver.to_owned(),
            field,
            reason,
        };
        if json.len() > limits.max_json as usize {
            return Err(bad(format!(
                "it has {} bytes, {} are allowed",
                json.len(),
                limits.max_json
            )));
        }
        serde_json::from_str::<IgnoredAny>(json).map_err(|error| bad(error.to_string()))?;
    }
    Ok(())
}

fn bytes_of_output(output: &Output) -> usize {
    match output {
        Output::WriteStdin(bytes) => bytes.len(),
        Output::SessionReady(ready) => [
            &ready.native_session_id,
            &ready.lost,
            &ready.agent_name,
            &ready.agent_version,
            &ready.model,
        ]
        .into_iter()
        .map(optional)
        .sum(),
        Output::SessionFailed(failure) => bytes_of_failure(failure),
        Output::TurnStarted(started) => started.turn.len() + optional(&started.native_turn_id),
        Output::TurnProgress(note) | Output::ContentReset(note) => {
            note.turn.len() + note.item.len() + note.text.len()
        }
        Output::ContentDelta(delta) | Output::ReasoningDelta(delta) => {
            delta.turn.len() + delta.item.len() + delta.text.len()
        }
        Output::ToolProgress(tool) => {
            tool.turn.len()
                + tool.tool_call_id.len()
                + tool.name.len()
                + tool.title.len()
                + tool.kind.len()
                + optional(&tool.details)
                + tool.content.iter().map(bytes_of_content).sum::<usize>()
        }
        Output::Usage(usage) => optional(&usage.turn),
        Output::TurnCompleted(done) => {
            done.turn.len() + optional(&done.final_text) + optional(&done.stop_reason)
        }
        Output::TurnFailed(failed) => failed.turn.len() + bytes_of_failure(&failed.failure),
        Output::InteractionRejected(interaction) => {
            optional(&interaction.turn)
                + interaction.kind.len()
                + interaction.native.len()
                + interaction.summary.len()
        }
        Output::TurnCancelled(text) | Output::RestartWanted(text) | Output::ClearTimer(text) => {
            text.len()
        }
        Output::SetTimer(timer) => timer.name.len(),
        Output::Diagnostic(diagnostic) => {
            diagnostic.code.len() + diagnostic.message.len() + optional(&diagnostic.native)
        }
        Output::Ext(ext) => ext.name.len() + ext.value.len(),
    }
}

fn bytes_of_content(content: &ToolContent) -> usize {
    match content {
        ToolContent::Text(text) => text.len(),
        ToolContent::Diff(diff) => diff.path.len() + optional(&diff.old_text) + diff.new_text.len(),
    }
}

fn bytes_of_failure(failure: &Failure) -> usize {
    failure.code.len() + failure.message.len() + optional(&failure.detail)
}

fn optional(text: &Option<String>) -> usize {
    text.as_ref().map_or(0, String::len)
}

fn json_of(output: &Output) -> Option<(&'static str, &str)> {
    let (field, json) = match output {
        Output::SessionFailed(failure) => ("failure.detail", failure.detail.as_deref()),
        Output::TurnFailed(failed) => ("failure.detail", failed.failure.detail.as_deref()),
        Output::ToolProgress(tool) => ("tool-progress.details", tool.details.as_deref()),
        Output::Diagnostic(diagnostic) => ("diagnostic.native", diagnostic.native.as_deref()),
        Output::Ext(ext) => ("ext.value", Some(ext.value.as_str())),
        _ => return None,
    };
    Some((field, json?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::{Ext, Level, default_limits};

    fn diagnostic(native: &str) -> Output {
        Output::Diagnostic(crate::driver::Diagnostic {
            level: Level::Info,
            code: "unknown-event".to_owned(),
            message: String::new(),
            native: Some(native.to_owned()),
        })
    }

    #[test]
    fn drv_05_a_json_value_that_is_none_is_a_fault_that_names_the_field() {
        let fault = check("x", &default_limits(), &[diagnostic("{\"a\":")]).unwrap_err();
        assert!(fault.to_string().contains("diagnostic.native"), "{fault}");
    }

    #[test]
    fn drv_05_a_json_value_over_its_bound_is_a_fault() {
        let long = format!("\"{}\"", "a".repeat(64 << 10));
        let fault = check("x", &default_limits(), &[diagnostic(&long)]).unwrap_err();
        assert!(fault.to_string().contains("65536 are allowed"), "{fault}");
    }

    #[test]
    fn drv_05_outputs_count_together() {
        let limits = Limits {
            max_output: 10,
            ..default_limits()
        };
        let six = || {
            Output::Ext(Ext {
                name: "abcd".to_owned(),
                value: "{}".to_owned(),
            })
        };
        assert!(check("x", &limits, &[six()]).is_ok());
        assert!(matches!(
            check("x", &limits, &[six(), six()]),
            Err(DriverFault::OutputTooLarge { limit: 10, .. })
        ));
    }
}
