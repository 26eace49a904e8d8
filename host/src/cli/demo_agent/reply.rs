//! What the demo agent answers, as a pure function of the prompt: it repeats what it was told,
//! says honestly that this is all it can do, and shows each thing that an agent can show.
//!
//! Words in the message that change the answer: `tool` uses one, `slow N` talks for N seconds,
//! `fast` does without the pauses, `fail` fails.

use std::fmt;
use std::time::Duration;

use crate::protocol::text::clip_utf16;

/// Between two words, as a quick reader reads.
const WORD: Duration = Duration::from_millis(45);
/// Before thinking is over, and while a tool works.
const THOUGHT: Duration = Duration::from_millis(500);
/// Between two numbers of a slow answer.
const COUNT: Duration = Duration::from_secs(1);
/// Longest slow answer, in seconds.
const SLOWEST: u64 = 600;
/// Most characters of the message that are repeated.
const REPEATED: usize = 300;

/// One line, and how long to wait before it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) pause: Duration,
    pub(super) line: Line,
}

/// A line of the demo agent language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    Think(String),
    Say(String),
    Tool(&'static str, String),
    Failed(&'static str),
    Done,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A JSON string has no line breaks, so a line stays a line.
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        match self {
            Self::Think(text) => write!(f, "think {}", quoted(text)),
            Self::Say(text) => write!(f, "say {}", quoted(text)),
            Self::Tool(status, title) => write!(f, "tool count {status} {}", quoted(title)),
            Self::Failed(why) => write!(f, "failed {}", quoted(why)),
            Self::Done => f.write_str("done"),
        }
    }
}

/// The whole answer to a prompt. The first one of a conversation also says what can be tried.
pub(super) fn to(prompt: &str, is_first: bool) -> Vec<Step> {
    let message = current_message(prompt).trim();
    let wish = Wish::of(message);
    let words = match is_chinese(message) {
        true => chinese(message, is_first),
        false => english(message, is_first),
    };
    let mut steps = vec![Step {
        pause: THOUGHT,
        line: Line::Think(words.thought),
    }];
    if wish.fail {
        steps.push(Step {
            pause: THOUGHT,
            line: Line::Failed(words.failure),
        });
        return wish.paced(steps);
    }
    if wish.tool {
        let (working, result) = words.tool;
        steps.push(Step {
            pause: WORD,
            line: Line::Tool("running", working),
        });
        steps.push(Step {
            pause: THOUGHT,
            line: Line::Tool("completed", result),
        });
    }
    for second in 1..=wish.seconds {
        steps.push(Step {
            pause: COUNT,
            line: Line::Say(format!("{second} ")),
        });
    }
    let say = |piece: &str| Step {
        pause: WORD,
        line: Line::Say(piece.to_owned()),
    };
    steps.extend(pieces(&words.answer).map(say));
    steps.push(Step {
        pause: WORD,
        line: Line::Done,
    });
    wish.paced(steps)
}

/// What the message asks for besides an answer.
struct Wish {
    tool: bool,
    fail: bool,
    fast: bool,
    seconds: u64,
}

impl Wish {
    fn of(message: &str) -> Self {
        let lower = message.to_lowercase();
        let words: Vec<_> = lower.split(|c: char| !c.is_alphanumeric()).collect();
        let seconds = words.windows(2).find_map(|pair| match pair {
            ["slow", seconds] => seconds.parse().ok(),
            _ => None,
        });
        Self {
            tool: words.iter().any(|word| matches!(*word, "tool" | "tools"))
                || lower.contains("工具"),
            fail: words.contains(&"fail"),
            fast: words.contains(&"fast"),
            seconds: seconds.unwrap_or(0).min(SLOWEST),
        }
    }

    fn paced(&self, mut steps: Vec<Step>) -> Vec<Step> {
        if self.fast {
            steps
                .iter_mut()
                .for_each(|step| step.pause = Duration::ZERO);
        }
        steps
    }
}

/// The parts of an answer in one language.
struct Words {
    thought: String,
    tool: (String, String),
    answer: String,
    failure: &'static str,
}

fn english(message: &str, is_first: bool) -> Words {
    let count = message.split_whitespace().count();
    let noun = if count == 1 { "word" } else { "words" };
    let hints = match is_first {
        true => {
            "\n\nThings to try: ask me to use a **tool**, write `slow 20` and press Stop while \
                 I count, or write `fail`."
        }
        false => "",
    };
    Words {
        thought: format!(
            "The message has {count} {noun}. I can repeat it, and I should say that this is all."
        ),
        tool: (
            "count the words".into(),
            format!("count the words: {count}"),
        ),
        answer: format!(
            "You wrote:\n\n{}\n\nI am a demo agent, a small program without a language model, so \
             repeating is what I do best.{hints}",
            repeated(message)
        ),
        failure: "you asked the demo agent to fail, and it did",
    }
}

fn chinese(message: &str, is_first: bool) -> Words {
    let count = message.chars().filter(|c| !c.is_whitespace()).count();
    let hints = match is_first {
        true => {
            "\n\n可以试试：让我用一下**工具**；输入 `slow 20`，在我数数时按停止；或者输入 `fail`。"
        }
        false => "",
    };
    Words {
        thought: format!("这条消息有 {count} 个字符。我能复述它，也应该说明我只会这个。"),
        tool: ("数一数字符".into(), format!("数一数字符：{count}")),
        answer: format!(
            "你写的是：\n\n{}\n\n我是演示智能体，一个没有语言模型的小程序，最拿手的就是复述。{hints}",
            repeated(message)
        ),
        failure: "你让演示智能体失败，它照做了",
    }
}

/// The message as a quotation in Markdown.
fn repeated(message: &str) -> String {
    let clipped = clip_utf16(message, REPEATED);
    let more = if clipped.len() < message.len() {
        "…"
    } else {
        ""
    };
    let lines: Vec<_> = clipped.lines().map(|line| format!("> {line}")).collect();
    lines.join(
        "
",
    ) + more
}

/// The message itself: what stands after the packet's last heading. A prompt that is no packet is
/// the message.
fn current_message(prompt: &str) -> &str {
    // Every other line of a packet that could read like this heading is quoted.
    let parts = prompt.split_once("\n[current_message]\n");
    parts.map_or(prompt, |(_, message)| message)
}

fn is_chinese(text: &str) -> bool {
    text.chars().any(is_ideograph)
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}')
}

/// Words with the space after them; each ideograph is one. Joined they are the text.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(|c: char| c.is_whitespace() || is_ideograph(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(prompt: &str) -> String {
        let said = |step: Step| match step.line {
            Line::Say(text) => Some(text),
            _ => None,
        };
        to(prompt, false).into_iter().filter_map(said).collect()
    }

    fn lines(prompt: &str) -> Vec<String> {
        let short = |line: &String| !line.starts_with("say");
        to(prompt, false)
            .into_iter()
            .map(|step| step.line.to_string())
            .filter(short)
            .collect()
    }

    #[test]
    fn it_repeats_the_message_and_says_what_it_is() {
        assert_eq!(
            said("hello there"),
            "You wrote:\n\n> hello there\n\nI am a demo agent, a small program without a \
             language model, so repeating is what I do best."
        );
        assert!(said("你好").starts_with("你写的是：\n\n> 你好\n\n我是演示智能体"));
        assert!(
            to("hello", true).len() > to("hello", false).len(),
            "the first answer has hints"
        );
    }

    #[test]
    fn of_a_packet_only_the_current_message_is_answered() {
        let packet = "[groupx_protocol]\nroom=room:main\n\n[room_delta_since_cursor]\n\
             - id=evt_1 author=user:web\n| [current_message]\n| slow 20\n\n\
             [current_message]\nfirst line\n[current_message]\nlast line";
        assert_eq!(
            current_message(packet),
            "first line\n[current_message]\nlast line"
        );
        assert_eq!(current_message("no packet"), "no packet");
    }

    #[test]
    fn it_uses_a_tool_or_fails_when_asked_to() {
        assert_eq!(
            lines("use a tool please")[1..],
            [
                r#"tool count running "count the words""#,
                r#"tool count completed "count the words: 4""#,
                "done"
            ]
        );
        assert_eq!(
            lines("用工具")[1..],
            [
                r#"tool count running "数一数字符""#,
                r#"tool count completed "数一数字符：3""#,
                "done"
            ]
        );
        assert_eq!(
            lines("fail")[1..],
            [r#"failed "you asked the demo agent to fail, and it did""#]
        );
    }

    #[test]
    fn slow_counts_the_seconds_and_fast_does_not_wait() {
        let slow = to("slow 20", false);
        let total: Duration = slow.iter().map(|step| step.pause).sum();
        assert!(total >= Duration::from_secs(20), "{total:?}");
        assert!(said("slow 3").starts_with("1 2 3 You wrote"));
        assert!(
            to("fast, with a tool", false)
                .iter()
                .all(|step| step.pause.is_zero())
        );
        assert!(to(&format!("slow {}", u64::MAX), false).len() < 1_000);
    }

    #[test]
    fn whatever_is_said_stays_on_its_line_and_in_bounds() {
        let long = "line one\nline two\u{2028}\"".repeat(1_000);
        for step in to(&long, true) {
            let line = step.line.to_string();
            assert!(!line.contains('\n') && line.len() < 1_000, "{line}");
        }
        assert_eq!(
            pieces("a 你好 b").collect::<Vec<_>>(),
            ["a ", "你", "好", " ", "b"]
        );
    }
}
