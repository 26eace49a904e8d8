//! Outputs in words, short enough to stand in a test one a line.

use crate::{Output, ToolContent, ToolProgress, ToolStatus, Usage};

/// One output in words, such as `t1 says msg_1 "hello"`.
pub fn words(output: &Output) -> String {
    match output {
        Output::WriteStdin(bytes) => {
            format!("writes {}", String::from_utf8_lossy(bytes).trim_end())
        }
        Output::SessionReady(ready) => {
            let id = ready.native_session_id.as_deref().unwrap_or("-");
            match (&ready.lost, ready.resumed) {
                (Some(lost), _) => format!("ready {id}, lost: {lost}"),
                (None, true) => format!("ready {id}, resumed"),
                (None, false) => format!("ready {id}"),
            }
        }
        Output::SessionFailed(failure) => {
            format!("session failed {}: {}", failure.code, failure.message)
        }
        Output::TurnStarted(started) => {
            format!(
                "{} started {}",
                started.turn,
                started.native_turn_id.as_deref().unwrap_or("-")
            )
        }
        Output::TurnProgress(note) => format!("{} progress {:?}", note.turn, note.text),
        Output::ContentDelta(delta) => {
            format!("{} says {} {:?}", delta.turn, delta.item, delta.text)
        }
        Output::ContentReset(note) => format!("{} takes back {}", note.turn, note.item),
        Output::ReasoningDelta(delta) => {
            format!("{} thinks {} {:?}", delta.turn, delta.item, delta.text)
        }
        Output::ToolProgress(tool) => tool_words(tool),
        Output::Usage(usage) => usage_words(usage),
        Output::TurnCompleted(done) => match &done.final_text {
            Some(text) => format!("{} completed with {text:?}", done.turn),
            None => format!("{} completed", done.turn),
        },
        Output::TurnFailed(failed) => {
            format!(
                "{} failed {}: {}",
                failed.turn, failed.failure.code, failed.failure.message
            )
        }
        Output::TurnCancelled(turn) => format!("{turn} cancelled"),
        Output::InteractionRejected(asked) => format!(
            "{} rejected {} {}: {}",
            asked.turn.as_deref().unwrap_or("-"),
            asked.kind,
            asked.native,
            asked.summary
        ),
        Output::RestartWanted(why) => format!("restart wanted: {why}"),
        Output::SetTimer(timer) => format!("timer {} in {} ms", timer.name, timer.after),
        Output::ClearTimer(name) => format!("timer {name} cleared"),
        Output::Diagnostic(note) => format!("note {}: {}", note.code, note.message),
        Output::Ext(ext) => format!("ext {} {}", ext.name, ext.value),
    }
}

fn tool_words(tool: &ToolProgress) -> String {
    let status = match tool.status {
        ToolStatus::Pending => "pending",
        ToolStatus::Running => "running",
        ToolStatus::Completed => "completed",
        ToolStatus::Failed => "failed",
        ToolStatus::Cancelled => "cancelled",
    };
    let mut words = format!(
        "{} tool {} {status} {} [{}] {:?}",
        tool.turn, tool.tool_call_id, tool.name, tool.kind, tool.title
    );
    for content in &tool.content {
        words += &match content {
            ToolContent::Text(text) => format!(" | {text:?}"),
            ToolContent::Diff(diff) => {
                format!(
                    " | {}: {:?} -> {:?}",
                    diff.path,
                    diff.old_text.as_deref().unwrap_or(""),
                    diff.new_text
                )
            }
        };
    }
    words
}

fn usage_words(usage: &Usage) -> String {
    let figures = [
        ("in", usage.input_tokens),
        ("cached", usage.cached_input_tokens),
        ("out", usage.output_tokens),
        ("reasoning", usage.reasoning_tokens),
        ("context", usage.context_used),
        ("window", usage.context_window),
        ("cost", usage.cost_micro_usd),
    ];
    let mut words = format!("{} usage", usage.turn.as_deref().unwrap_or("-"));
    for (name, figure) in figures {
        if let Some(figure) = figure {
            words += &format!(" {name}={figure}");
        }
    }
    words
}
