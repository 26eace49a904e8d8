//! DRV-08 by force: recordings whose lines are cut, torn and mixed up. Nothing that an agent prints may
//! make the driver panic or break the interface's word, and how inputs are grouped may change nothing.

use super::recordings::played;
use super::*;
use groupx_driver_sdk::story::Referee;
use groupx_driver_sdk::{Driver, Input, Output, SessionConfig, Step};
use proptest::prelude::*;
use std::sync::OnceLock;

/// Each recording's session, and what was given to the driver in it.
fn sessions() -> &'static [(SessionConfig, Vec<Input>)] {
    static SESSIONS: OnceLock<Vec<(SessionConfig, Vec<Input>)>> = OnceLock::new();
    SESSIONS.get_or_init(|| {
        played()
            .iter()
            .map(|played| (played.config.clone(), played.story.given().to_vec()))
            .collect()
    })
}

#[derive(Debug, Clone)]
enum Harm {
    Cut(prop::sample::Index),
    Flip(prop::sample::Index, u8),
    Remove,
    Repeat,
    SwapWithNext,
    Replace(Vec<u8>),
    Value(&'static str),
}

fn harm() -> impl Strategy<Value = Harm> {
    let values = [
        "null",
        "[]",
        "{}",
        "7",
        "-1e400",
        "\"\"",
        "true",
        "\"\\ud83d\\ude42\"",
    ];
    prop_oneof![
        any::<prop::sample::Index>().prop_map(Harm::Cut),
        (any::<prop::sample::Index>(), any::<u8>())
            .prop_map(|(place, byte)| Harm::Flip(place, byte)),
        Just(Harm::Remove),
        Just(Harm::Repeat),
        Just(Harm::SwapWithNext),
        prop::collection::vec(any::<u8>(), 0..64).prop_map(Harm::Replace),
        prop::sample::select(values.to_vec()).prop_map(Harm::Value),
    ]
}

fn apply(inputs: &mut Vec<Input>, place: usize, harm: &Harm) {
    let last = place + 1 == inputs.len();
    match (harm, &mut inputs[place]) {
        (Harm::Cut(at), Input::Frame(line)) if !line.is_empty() => {
            line.truncate(at.index(line.len()))
        }
        (Harm::Flip(at, byte), Input::Frame(line)) if !line.is_empty() => {
            let at = at.index(line.len());
            line[at] = *byte;
        }
        (Harm::Replace(bytes), Input::Frame(line)) => *line = bytes.clone(),
        // One value of the line is another than Claude would ever send.
        (Harm::Value(value), Input::Frame(line)) => {
            if let Ok(text) = std::str::from_utf8(line)
                && let Some((head, tail)) = text.rsplit_once("\":")
            {
                let rest = tail.find([',', '}']).map_or("", |end| &tail[end..]);
                *line = format!("{head}\":{value}{rest}").into_bytes();
            }
        }
        (Harm::Remove, _) => drop(inputs.remove(place)),
        (Harm::Repeat, _) => inputs.insert(place, inputs[place].clone()),
        (Harm::SwapWithNext, _) if !last => inputs.swap(place, place + 1),
        _ => {}
    }
}

/// Gives the inputs as a host would: a prompt only where one may come, nothing after the exit.
fn run(config: &SessionConfig, inputs: &[Input]) -> (Vec<Input>, Vec<Output>) {
    let mut driver = Claude::open(config.clone()).unwrap();
    let mut referee = Referee::default();
    let (mut given, mut heard) = (Vec::new(), Vec::new());
    let mut hold = false;
    for input in inputs {
        if matches!(input, Input::Prompt(_)) && (hold || !referee.takes_prompts()) {
            continue;
        }
        referee.input(input);
        given.push(input.clone());
        let step = Step::take(&mut driver, [input.clone()]);
        step.outputs
            .iter()
            .for_each(|output| referee.output(output));
        hold = step.hold;
        heard.extend(step.outputs);
        if matches!(input, Input::ProcessExited(_)) {
            break;
        }
    }
    (given, heard)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn drv_08_a_harmed_wire_never_breaks_the_driver(
        session in any::<prop::sample::Index>(),
        harms in prop::collection::vec((any::<prop::sample::Index>(), harm()), 1..6),
        group in 1_usize..40,
    ) {
        let (config, mut inputs) = session.get(sessions()).clone();
        for (place, harm) in &harms {
            if !inputs.is_empty() {
                let place = place.index(inputs.len());
                apply(&mut inputs, place, harm);
            }
        }
        let (given, heard) = run(&config, &inputs);
        let mut driver = Claude::open(config).unwrap();
        let grouped: Vec<_> = given.chunks(group).flat_map(|group| Step::take(&mut driver, group.to_vec()).outputs).collect();
        prop_assert_eq!(heard, grouped);
    }
}
