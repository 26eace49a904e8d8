//! The texts of `--help`.

use crate::config::Language;

/// All texts of the help in one language.
pub(in crate::cli) struct Help {
    /// What the program is.
    pub(in crate::cli) about: &'static str,
    /// How a help page is laid out.
    pub(in crate::cli) template: &'static str,
    /// The heading of the verbs.
    pub(in crate::cli) commands: &'static str,
    /// What stands for a verb in the usage line.
    pub(in crate::cli) command: &'static str,
    /// The heading of the flags.
    pub(in crate::cli) options: &'static str,
    /// The list of exit codes.
    pub(in crate::cli) exit_codes: &'static str,
    start: &'static str,
    stop: &'static str,
    doctor: &'static str,
    version: &'static str,
    help: &'static str,
    config: &'static str,
    no_open: &'static str,
    demo: &'static str,
    json: &'static str,
}

impl Help {
    /// The texts in this language.
    pub(in crate::cli) fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &ENGLISH,
            Language::Chinese => &CHINESE,
        }
    }

    /// What a verb does.
    pub(in crate::cli) fn verb(&self, name: &str) -> &'static str {
        match name {
            "start" => self.start,
            "stop" => self.stop,
            "doctor" => self.doctor,
            "version" => self.version,
            "help" => self.help,
            _ => self.about,
        }
    }

    /// What a flag does.
    pub(in crate::cli) fn flag(&self, id: &str) -> &'static str {
        match id {
            "config" => self.config,
            "no_open" => self.no_open,
            "demo" => self.demo,
            "json" => self.json,
            "version" => self.version,
            _ => self.help,
        }
    }
}

static ENGLISH: Help = Help {
    about: "GroupX: a local room for coding agents and their user. Without a command it starts.",
    template: "{about}\n\nUsage: {usage}\n\n{all-args}{after-help}",
    commands: "Commands",
    command: "COMMAND",
    options: "Options",
    exit_codes: "Exit codes:\n  0    done, or nothing was left to do\n  \
                 1    refused or failed; stderr says why\n  \
                 130  ended at once by a second Ctrl-C (143: by a second SIGTERM)\n\n\
                 Environment:\n  GROUPX_LOG  what is logged to stderr, e.g. info (default: warn)\n",
    start: "Open the room and its page; ends with Ctrl-C",
    stop: "End the room that this configuration runs",
    doctor: "Look for each agent's CLI and say what is missing (fails when none is found)",
    version: "Print the version",
    help: "Print help",
    config: "The configuration (default: groupx.json)",
    no_open: "Do not open the page in the browser",
    demo: "Open a room with two demo agents, on a free port and without any file of yours",
    json: "Print one JSON object, for scripts",
};

static CHINESE: Help = Help {
    about: "GroupX：让编程智能体和用户同处一室的本机房间。不带命令即启动。",
    template: "{about}\n\n用法：{usage}\n\n{all-args}{after-help}",
    commands: "命令",
    command: "命令",
    options: "选项",
    exit_codes: "退出码：\n  0    完成，或无事可做\n  1    被拒绝或失败，原因见 stderr\n  \
                 130  第二次 Ctrl-C 立即结束（143：第二次 SIGTERM）\n\n\
                 环境变量：\n  GROUPX_LOG  写到 stderr 的日志，如 info（默认 warn）\n",
    start: "打开房间和页面，按 Ctrl-C 结束",
    stop: "结束此配置正在运行的房间",
    doctor: "查找各智能体的命令行程序，并说明缺少什么（一个都没找到则失败）",
    version: "显示版本",
    help: "显示帮助",
    config: "配置文件（默认 groupx.json）",
    no_open: "不在浏览器中打开页面",
    demo: "打开有两个演示智能体的房间，使用空闲端口，不需要任何文件",
    json: "输出一个 JSON 对象，供脚本使用",
};
