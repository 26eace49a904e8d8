//! SIGKILLs of the running room at random instants under load. Afterwards three books must agree:
//! what clients were promised, what the room tells, and what the agents really read.
//!
//! `GROUPX_KILLS` sets the number of rounds (30), `GROUPX_KILL_SEED` repeats a run's choices,
//! `GROUPX_KILL_REPORT` names a file for the report.

mod books;
mod dice;
mod load;

use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::room::{Plan, Room};
use books::Books;
use dice::Dice;
use load::Ledger;

const AGENTS: [&str; 2] = ["alpha", "beta"];
const POSTERS: u64 = 3;

#[tokio::test]
async fn kill_loop() {
    let rounds: u64 = number("GROUPX_KILLS").unwrap_or(30);
    let seed = number("GROUPX_KILL_SEED").unwrap_or_else(|| getrandom::u64().unwrap());
    println!("{rounds} kills with GROUPX_KILL_SEED={seed}");
    let began = Instant::now();
    let plan = Plan::fakes(&AGENTS).set("limits.queuePerAgent", 10_000);
    let mut room = Room::launch(plan).await;
    let ledger = Ledger::default();
    for round in 0..rounds {
        let mut dice = Dice::new(seed.wrapping_add(round * 1_000));
        // From the first answer of the fresh process to well into its work.
        let instant = Duration::from_micros(dice.below(400_000));
        let posters = (1..=POSTERS).map(|poster| {
            load::post_until_refused(&room, &ledger, Dice::new(seed ^ (round * 1_000 + poster)))
        });
        let posters = futures_util::future::join_all(posters);
        let killer = async {
            tokio::time::sleep(instant).await;
            room.signal(Signal::KILL);
        };
        tokio::join!(posters, killer);
        room.kill().await;
        room.groupx().nothing_left().await;
        room.start_unready().await;
    }
    room.ready().await;
    room.follow().await;
    load::send_again_what_was_unsure(&room, &ledger).await;
    let books = Books::close(&room, &ledger, &AGENTS).await;
    books.must_balance();
    let report = books.report(rounds, seed, began.elapsed());
    println!("{report}");
    if let Some(path) = std::env::var_os("GROUPX_KILL_REPORT") {
        std::fs::write(path, report).unwrap();
    }
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable} is a number, not {text}")),
    )
}
