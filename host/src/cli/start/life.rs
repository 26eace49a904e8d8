//! The life of a room in a terminal: it opens, tells what it is doing, and ends when it is told to.

use super::arrival::Arrival;
use super::open_page;
use super::signals::Signals;
use crate::cli::exit::Exit;
use crate::cli::language::Sentence;
use crate::cli::voice::Voice;
use crate::config::Config;
use crate::protocol::AgentId;
use crate::runtime::{News, Runtime, RuntimeOptions};

/// Opens the room and stays until it has ended.
pub(super) fn run(config: Config, show_page: bool, voice: Voice) -> Exit {
    let threads = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let threads = match threads {
        Ok(threads) => threads,
        Err(error) => return not_started(&error.to_string(), voice),
    };
    let exit = threads.block_on(live(config, show_page, voice));
    // Work on a blocking thread, which may hang, must not hold the end.
    threads.shutdown_background();
    exit
}

async fn live(config: Config, show_page: bool, voice: Voice) -> Exit {
    let mut signals = match Signals::listen() {
        Ok(signals) => signals,
        Err(error) => return not_started(&error.to_string(), voice),
    };
    let opened = tokio::select! {
        opened = Runtime::open(config.clone(), RuntimeOptions::default()) => opened,
        signal = signals.next() => return Exit::Killed(signal),
    };
    let mut runtime = match opened {
        Ok(runtime) => runtime,
        Err(error) => {
            // This blocks, and nothing else runs here any more.
            let winner = error
                .is_taken()
                .then(|| Arrival::of_the_winner(&config))
                .flatten();
            return match winner {
                Some(arrival) => arrival.conclude(config.port, show_page, voice),
                None => not_started(&error.to_string(), voice),
            };
        }
    };
    let origin = runtime.origin();
    voice.say(&Sentence::Listening { origin: &origin });
    if show_page {
        open_page(&origin);
    }
    let mut news = runtime.news();
    loop {
        tokio::select! {
            Some(news) = news.recv() => tell(&news, &config, voice),
            () = runtime.stop_requested() => break,
            _ = signals.next() => break,
        }
    }
    voice.say(&Sentence::Closing);
    tokio::select! {
        () = runtime.close() => Exit::Done,
        signal = signals.next() => Exit::Killed(signal),
    }
}

fn not_started(reason: &str, voice: Voice) -> Exit {
    voice.complain(&Sentence::NotStarted { reason });
    Exit::Failed
}

fn tell(news: &News, config: &Config, voice: Voice) {
    let name = |id: &AgentId| {
        let agent = config.agents.iter().find(|agent| agent.id == *id);
        agent
            .map_or(id.as_str(), |agent| agent.display_name())
            .to_owned()
    };
    match news {
        News::DriverCompiling { driver } => voice.say(&Sentence::DriverCompiling { driver }),
        News::AgentStarting { agent } => {
            voice.say(&Sentence::AgentStarting {
                agent: &name(agent),
            });
        }
        News::AgentReady { agent, resumed } => {
            voice.say(&Sentence::AgentReady {
                agent: &name(agent),
                resumed: *resumed,
            });
        }
        News::AgentFailed { agent, message } => {
            voice.complain(&Sentence::AgentFailed {
                agent: &name(agent),
                message,
            });
        }
        News::Ready => voice.say(&Sentence::Ready),
    }
}
