//! The demo agent's lines as values, in both directions (the grammar is in README.md).

/// A line from the agent.
#[derive(Debug, PartialEq)]
pub(crate) enum Heard {
    Hello(String),
    Think(String),
    Say(String),
    Tool {
        id: String,
        status: Status,
        title: String,
    },
    Done,
    Failed(String),
    Stopped,
}

#[derive(Debug, PartialEq, Clone, Copy)]
pub(crate) enum Status {
    Running,
    Completed,
    Failed,
}

impl Heard {
    /// `None` for a line that is not of this language: the caller reports it and goes on.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        Some(match word {
            "hello" => Self::Hello(
                rest.strip_prefix("1 ")
                    .filter(|name| !name.is_empty())?
                    .to_owned(),
            ),
            "think" => Self::Think(string(rest)?),
            "say" => Self::Say(string(rest)?),
            "tool" => {
                let (id, rest) = rest.split_once(' ')?;
                let (status, title) = rest.split_once(' ')?;
                Self::Tool {
                    id: id.to_owned(),
                    status: match status {
                        "running" => Status::Running,
                        "completed" => Status::Completed,
                        "failed" => Status::Failed,
                        _ => return None,
                    },
                    title: string(title)?,
                }
            }
            "done" => Self::Done,
            "failed" => Self::Failed(string(rest)?),
            "stopped" => Self::Stopped,
            _ => return None,
        })
    }
}

fn string(json: &str) -> Option<String> {
    serde_json::from_str(json).ok()
}

/// A line to the agent.
pub(crate) enum Request<'a> {
    Prompt(&'a str),
    Cancel,
    Bye,
}

impl Request<'_> {
    /// The bytes for its stdin, line end included.
    pub(crate) fn line(&self) -> Vec<u8> {
        match self {
            // A JSON string never holds a raw line break, so the prompt stays on one line.
            Self::Prompt(text) => format!("prompt {}\n", serde_json::Value::from(*text)),
            Self::Cancel => "cancel\n".to_owned(),
            Self::Bye => "bye\n".to_owned(),
        }
        .into_bytes()
    }
}
