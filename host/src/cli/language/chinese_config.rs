//! 配置和命令的问题，中文。The English sentences stand beside the problems themselves.

use crate::config::command::CommandProblem;
use crate::config::{ConfigError, Kind, Problem, Reason};

pub(super) fn error(error: &ConfigError) -> String {
    match error {
        ConfigError::Absent { path } => format!("找不到 {}。", path.display()),
        ConfigError::Unreadable { path, reason } => {
            format!("无法读取 {}：{reason}。", path.display())
        }
        ConfigError::Syntax { path, reason } => {
            format!("{} 不是有效的 JSON：{reason}。", path.display())
        }
        ConfigError::Invalid { path, problems } => {
            let lines: Vec<_> = problems.iter().map(problem).collect();
            format!("无法使用 {}：\n  {}", path.display(), lines.join("\n  "))
        }
    }
}

fn problem(problem: &Problem) -> String {
    let reason = reason(&problem.reason);
    match problem.path.as_str() {
        "" => format!("文件{reason}"),
        path => format!("`{path}` {reason}"),
    }
}

fn reason(reason: &Reason) -> String {
    match reason {
        Reason::Unknown {
            nearest: Some(nearest),
            ..
        } => {
            format!("不是 groupx.json 的键。是否想写 `{nearest}`？")
        }
        Reason::Unknown {
            nearest: None,
            known,
        } => {
            format!("不是 groupx.json 的键。此处可用：{}。", known.join("、"))
        }
        Reason::Repeated => "出现了两次，请删去一个。".into(),
        Reason::Missing => "缺失。".into(),
        Reason::Kind(kind) => format!("必须是{}。", self::kind(*kind)),
        Reason::Bounds(least, most) => format!("必须在 {least} 到 {most} 之间。"),
        Reason::TooLong(most) => format!("最多 {most} 个字符。"),
        Reason::Blank => "不能为空。".into(),
        Reason::Word(words) => {
            let quoted: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
            format!("必须是 {}。", quoted.join(" 或 "))
        }
        Reason::DirectTransport => {
            "是 \"direct\"，GroupX 已不再支持：每个智能体都通过自己的协议通信。请删去这一行。"
                .into()
        }
        Reason::AgentId(_) => {
            "不能用作智能体的 id：应为 1 到 64 个字母、数字、点、下划线或连字符，首尾是字母\
             或数字；assistant 和 __assistant__ 保留给房间助理。"
                .into()
        }
        Reason::NoAgents => "至少要有一个智能体。".into(),
        Reason::DriverNeeded => {
            "缺失。只有 codex、grok、kimi、hermes 和 claude 可以省略驱动。".into()
        }
        Reason::DriverId => "不是驱动的 id：应为 1 到 32 个小写字母、数字或连字符。".into(),
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Object => "对象",
        Kind::Text => "文本",
        Kind::Flag => " true 或 false",
        Kind::Whole => "整数",
        Kind::Texts => "文本列表",
        Kind::Command => "文本，或带有 `executable` 和 `prefixArgs` 的对象",
    }
}

pub(super) fn command(problem: &CommandProblem) -> String {
    match problem {
        CommandProblem::NotInPath { names } => {
            let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            format!(
                "找不到 {}。请安装，或在 `command` 中写明路径。",
                quoted.join("、")
            )
        }
        CommandProblem::NoFile { path } => {
            format!(
                "文件 {} 不存在。请更正 `command` 中的路径。",
                path.display()
            )
        }
        CommandProblem::NotExecutable { path } => format!(
            "{0} 没有执行权限。请运行 `chmod +x {0}`，或更正 `command` 中的路径。",
            path.display()
        ),
        CommandProblem::Arguments { executable } => {
            format!("`{executable}` 不接受 `prefixArgs`：参数只由驱动给出。请删去。")
        }
        CommandProblem::NodeScript => {
            "`node` 的 `prefixArgs` 必须正好有一项：一个 .js、.mjs 或 .cjs 文件的路径。".into()
        }
    }
}
