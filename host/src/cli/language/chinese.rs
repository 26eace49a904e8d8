//! 中文。

use super::{Sentence, chinese_config};

pub(super) fn say(sentence: &Sentence<'_>) -> String {
    match *sentence {
        Sentence::NotUnderstood {
            word,
            meant: Some(meant),
        } => {
            format!("不认识“{word}”。是否想输入“{meant}”？")
        }
        Sentence::NotUnderstood { word, meant: None } => {
            format!("不认识“{word}”。用 groupx --help 查看可用的命令和选项。")
        }
        Sentence::NotTogether { word } => format!("{word} 不能与其他选项同时使用。"),
        Sentence::ValueNeeded { word } => format!("{word} 缺少值。"),
        Sentence::NoConfiguration { path, example } => format!(
            "找不到 {}。\n\
             不装任何智能体也能先看看：groupx start --demo\n\
             要打开自己的房间，请把下面的内容保存到该文件，然后重新启动：\n\n{example}",
            path.display()
        ),
        Sentence::BadConfiguration(error) => chinese_config::error(error),
        Sentence::Listening { origin } => {
            format!("GroupX listening on {origin} (transport=structured, access=unrestricted)")
        }
        Sentence::AlreadyRunning { origin } => format!("这个房间已经在运行：{origin}"),
        Sentence::RunsAsItWas { port } => format!(
            "端口 {port} 上运行的是配置修改之前的这个房间，或由其他版本的 GroupX 打开。\
             请先运行 groupx stop，再重新启动。"
        ),
        Sentence::OtherRoom { port } => {
            format!("端口 {port} 上是另一个 GroupX 房间。请先停止它，或更换 server.port。")
        }
        Sentence::OtherProgram { port } => {
            format!("端口 {port} 被其他程序占用。请先结束它，或更换 server.port。")
        }
        Sentence::StillEnding { port } => {
            format!("端口 {port} 上的房间仍在关闭，请等它结束后再启动。")
        }
        Sentence::NotStarted { reason } => format!("无法打开房间。{reason}"),
        Sentence::DemoRoom { folder } => {
            format!("演示房间位于 {}，结束后即清除。", folder.display())
        }
        Sentence::NoDemoRoom { reason } => {
            format!("无法创建演示房间：{reason}。可以用 TMPDIR 指定一个目录。")
        }
        Sentence::DriverCompiling { driver } => format!("  正在准备驱动 {driver} …"),
        Sentence::AgentStarting { agent } => format!("  {agent} 正在启动 …"),
        Sentence::AgentReady {
            agent,
            resumed: false,
        } => format!("  {agent} 已就绪"),
        Sentence::AgentReady {
            agent,
            resumed: true,
        } => {
            format!("  {agent} 已就绪，并接续之前的会话")
        }
        Sentence::AgentFailed { agent, message } => format!("  {agent} 无法启动：{message}"),
        Sentence::Ready => "房间已打开。按 Ctrl-C 结束。".into(),
        Sentence::Closing => "正在关闭房间；再按一次 Ctrl-C 立即结束。".into(),
        Sentence::NotRunning { port } => {
            format!("端口 {port} 上没有正在运行的房间。用 groupx start 打开。")
        }
        Sentence::Stopping => "正在关闭房间 …".into(),
        Sentence::Stopped => "房间已关闭。".into(),
        Sentence::NotOurs { port } => {
            format!("端口 {port} 上是另一份配置的房间。请用 --config 指定它的文件。")
        }
        Sentence::StopRefused { status } => {
            format!("房间没有接受关闭请求（HTTP {status}）。请直接结束它的进程。")
        }
        Sentence::StopTooSlow { seconds } => {
            format!("房间在 {seconds} 秒内没有关闭。请重试，或结束它的进程。")
        }
        Sentence::Command(problem) => chinese_config::command(problem),
        Sentence::Doctor { version, system } => format!("GroupX {version}，{system}"),
        Sentence::FoundConfiguration { path } => format!("配置：{path}"),
        Sentence::FoundDatabase { path, exists: true } => format!("数据库：{path}"),
        Sentence::FoundDatabase {
            path,
            exists: false,
        } => {
            format!("数据库：{path}（首次启动时创建）")
        }
        Sentence::FileNotWritable { path } => {
            format!(
                "无法读写 {}。请修正权限，或更换 `storage.path`。",
                path.display()
            )
        }
        Sentence::FolderNotWritable { path } => {
            format!(
                "无法写入 {}。请修正权限，或更换 `storage.path`。",
                path.display()
            )
        }
        Sentence::RoomRuns { port } => format!("房间：正在运行，http://127.0.0.1:{port}"),
        Sentence::PortIsFree { port } => format!("房间：未运行，端口 {port} 空闲"),
        Sentence::PortIsTaken { port } => {
            format!("房间：未运行，端口 {port} 被占用。请结束占用者，或更换 `server.port`。")
        }
        Sentence::Drivers => "驱动：".into(),
        Sentence::Agents => "智能体：".into(),
        Sentence::Row { name, found } => format!("  {name}：{found}"),
        Sentence::DisabledRow { name } => format!("  {name}：已停用"),
        Sentence::Problem { text } => text.into(),
        Sentence::NoFolder { path } => {
            format!("目录 {} 不存在。请创建，或更正 `cwd`。", path.display())
        }
        Sentence::NotInstalled { names, hint } => format!("找不到 {names}。安装方法：{hint}"),
        Sentence::VersionTooSlow => "6 秒内没有给出版本。请手动运行看看原因。".into(),
        Sentence::DoesNotStart { path, reason } => {
            format!(
                "{} 无法启动：{reason}。请重新安装，或更正 `command`。",
                path.display()
            )
        }
    }
}
