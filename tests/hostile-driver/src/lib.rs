//! A driver that misbehaves on request: the last line of a prompt, or the client's name at `open` and
//! `launch`, says how.

mod streams;

use groupx_driver_sdk::{
    Capabilities, Content, Delta, Description, Driver, Executable, Ext, Failure, Input, LaunchSpec,
    Level, Outbox, Output, SessionConfig, SessionReady, TurnCompleted, export_driver,
};

export_driver!(Hostile);

/// No state: every misdeed is asked for anew.
pub struct Hostile;

impl Driver for Hostile {
    fn describe() -> Description {
        Description {
            id: "hostile".into(),
            version: "0.2.0".into(),
            display_name: "Hostile".into(),
            native_protocol: "none".into(),
            capabilities: Capabilities::empty(),
            executables: vec![Executable {
                name: "true".into(),
                places: Vec::new(),
                version_args: Vec::new(),
                install_hint: "part of every system".into(),
            }],
            unrestricted: "everything it can think of".into(),
        }
    }

    fn launch(config: &SessionConfig) -> Result<LaunchSpec, Failure> {
        misbehave(&config.client_name, &mut Outbox::default());
        Ok(LaunchSpec {
            args: Vec::new(),
            env: Vec::new(),
            env_remove: Vec::new(),
            files: Vec::new(),
        })
    }

    fn open(config: SessionConfig) -> Result<Self, Failure> {
        misbehave(&config.client_name, &mut Outbox::default());
        if config.client_name == "refuse" {
            return Err(Failure {
                code: "refused".into(),
                message: "not today".into(),
                detail: None,
                retryable: false,
            });
        }
        Ok(Hostile)
    }

    fn input(&mut self, input: Input, out: &mut Outbox) {
        match input {
            Input::ProcessStarted => out.push(Output::SessionReady(SessionReady {
                native_session_id: None,
                resumed: false,
                lost: None,
                agent_name: None,
                agent_version: None,
                model: None,
                capabilities: Capabilities::empty(),
            })),
            Input::Prompt(prompt) => {
                for Content::Text(text) in &prompt.content {
                    match text.lines().last().unwrap_or_default() {
                        "behave" => out.push(Output::TurnCompleted(TurnCompleted {
                            turn: prompt.turn.clone(),
                            final_text: Some("as you wish".into()),
                            stop_reason: None,
                        })),
                        wish => misbehave(wish, out),
                    }
                }
            }
            _ => {}
        }
    }
}

fn misbehave(wish: &str, out: &mut Outbox) {
    match wish {
        "spin" => loop {
            std::hint::black_box(wish);
        },
        "allocate" => {
            let mut hoard = Vec::new();
            loop {
                hoard.push(std::hint::black_box(vec![1_u8; 1 << 20]));
            }
        }
        "recurse" => {
            std::hint::black_box(depth(1));
        }
        "panic" => panic!("no such thing\nas a second line"),
        "exit" => std::process::exit(3),
        "one huge output" => out.push(delta("x".repeat(30 << 20))),
        "many outputs" => {
            for _ in 0..400_000 {
                out.push(delta("x".into()));
            }
        }
        "huge log" => groupx_driver_sdk::bindings::groupx::driver::log::log(
            Level::Info,
            &"x".repeat(48 << 20),
        ),
        "endless log" => loop {
            groupx_driver_sdk::bindings::groupx::driver::log::log(Level::Debug, "again");
        },
        "broken json" => out.push(Output::Ext(Ext {
            name: "thing".into(),
            value: "{\"a\":".into(),
        })),
        "read stdin" => {
            let mut line = String::new();
            let read = std::io::stdin().read_line(&mut line);
            out.push(delta(format!("{read:?} {line:?}")));
        }
        "wait" => out.push(delta(streams::wait_in_every_way())),
        "endless poll" => streams::poll_without_end(),
        "endless stderr" => loop {
            eprintln!("again");
        },
        "hoard streams" => streams::hoard(),
        "print much" => println!("{}", "x".repeat(1 << 20)),
        "look around" => {
            let environment = std::env::vars().count();
            let arguments = std::env::args().count();
            out.push(delta(format!("{environment} {arguments}")));
        }
        _ => {}
    }
}

// The recursion is the point, and the optimizer must not turn it into a loop.
#[allow(unconditional_recursion)]
fn depth(level: u64) -> u64 {
    let frame = std::hint::black_box([level; 64]);
    depth(level + 1) + frame[(level % 64) as usize]
}

fn delta(text: String) -> Output {
    Output::ContentDelta(Delta {
        turn: "turn-1".into(),
        item: "item".into(),
        text,
    })
}
