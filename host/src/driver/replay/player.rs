//! Plays one process of a recording against one driver instance.

use std::collections::{BTreeSet, VecDeque};

use serde_json::Value;

use super::capture::{Line, Record};
use super::dialect::{AgentLine, Call, ClientLine, Dialect, Event, Purpose};
use super::recorded::Recorded;
use super::{Outcome, Wrong, event, session};
use crate::driver::conduct::Conduct;
use crate::driver::{Content, Driver, ExitStatus, Input, Instance, Output, Prompt, Timer};

/// Timers that are fired to let a driver go on; one that needs more has a loop.
const TIMERS_AT_ONCE: usize = 16;

const SIGTERM: i32 = 15;

/// A process that is being replayed.
pub(super) struct Player<'a> {
    dialect: &'static Dialect,
    records: &'a [Record],
    outcome: &'a mut Outcome,
    instance: Instance,
    conduct: Conduct,
    recorded: Recorded,
    /// The record that is being played.
    at: usize,
    /// Records that were played before their time.
    played: BTreeSet<usize>,
    /// Answers that are to be given when the running step has been looked through.
    answers: VecDeque<Value>,
    hold: bool,
    timers: Vec<Timer>,
    turns: usize,
    prompt: Option<Prompted>,
    /// The native session that the driver has.
    session: Option<String>,
    /// The folder that the driver was told to work in.
    workdir: String,
    /// Native sessions that only the recorded client had.
    foreign: BTreeSet<String>,
    /// The driver gave the session up; the host then ends the process.
    failed: bool,
    /// The instance is spent.
    lost: bool,
}

/// The last prompt that was given.
struct Prompted {
    at: usize,
    turn: String,
    native: Option<String>,
    cancelled: bool,
    /// The recording has shown its end.
    ended: bool,
}

impl<'a> Player<'a> {
    /// Plays `records`; turns are numbered on from `turns`, and the last number comes back.
    pub(super) fn play(
        driver: &Driver,
        dialect: &'static Dialect,
        records: &'a [Record],
        turns: usize,
        outcome: &'a mut Outcome,
    ) -> usize {
        let recorded = Recorded::new(records, dialect);
        let config = session::config(&recorded, records, dialect);
        let instance = match driver.open(&config) {
            Ok(instance) => instance,
            Err(fault) => {
                outcome.failures.push(fault.into());
                return turns;
            }
        };
        let mut player = Player {
            dialect,
            records,
            outcome,
            instance,
            conduct: Conduct::default(),
            recorded,
            at: 0,
            played: BTreeSet::new(),
            answers: VecDeque::new(),
            hold: false,
            timers: Vec::new(),
            turns,
            prompt: None,
            session: None,
            workdir: config.workdir,
            foreign: BTreeSet::new(),
            failed: false,
            lost: false,
        };
        player.feed(Input::ProcessStarted);
        let mut exited = false;
        for (at, record) in records.iter().enumerate() {
            if player.failed || player.lost {
                break;
            }
            player.at = at;
            if player.played.contains(&at) {
                continue;
            }
            match record {
                Record::Spawn(_) => {}
                Record::In(line) => player.client(line),
                Record::Out(line) => player.agent(at, line),
                Record::Stderr(line) => player.feed(Input::StderrLine(line.clone())),
                Record::StdinClosed => player.close(),
                Record::Exit { code, signal } => {
                    player.exit(*code, *signal);
                    exited = true;
                }
            }
        }
        player.finish(exited);
        player.turns
    }

    fn note(&mut self, note: String) {
        self.outcome.notes.push(note);
    }

    /// Gives one input and acts on what comes, until nothing more follows from it.
    fn feed(&mut self, input: Input) {
        let mut next = Some(input);
        while let Some(input) = next.take() {
            if self.lost {
                return;
            }
            self.conduct.input(&input);
            match self.instance.step(&[input]) {
                Ok(step) => {
                    self.hold = step.hold;
                    for output in step.outputs {
                        self.heard(output);
                    }
                }
                Err(fault) => {
                    self.outcome.failures.push(fault.into());
                    self.lost = true;
                }
            }
            next = self
                .answers
                .pop_front()
                .map(|answer| Input::Frame(answer.to_string().into_bytes()));
        }
    }

    fn heard(&mut self, output: Output) {
        if let Err(breach) = self.conduct.output(&output) {
            self.outcome.failures.push(breach.into());
        }
        self.outcome.events.extend(event::line(&output));
        match output {
            Output::WriteStdin(bytes) => {
                let text = String::from_utf8_lossy(&bytes);
                for line in text.lines().filter(|line| !line.is_empty()) {
                    match serde_json::from_str(line) {
                        Ok(line) => self.wrote(&line),
                        Err(_) => self.note(format!("the driver wrote no JSON: {line}")),
                    }
                }
            }
            Output::SetTimer(timer) => {
                self.timers.retain(|armed| armed.name != timer.name);
                self.timers.push(timer);
            }
            Output::ClearTimer(name) => self.timers.retain(|armed| armed.name != name),
            Output::SessionFailed(_) => self.failed = true,
            _ => {}
        }
    }

    /// The driver wrote a line: if it is a call, it stands for a recorded one, or gets a stub.
    fn wrote(&mut self, line: &Value) {
        let ClientLine::Call(call) = (self.dialect.client)(line) else {
            return;
        };
        let prompt = self.prompt.as_ref().map(|prompt| prompt.at);
        let Some(recorded) = self.recorded.claim(&call, line, prompt) else {
            match (self.dialect.stub)(line) {
                Some(answer) => {
                    self.note(format!("answered {} from a stub", call.method));
                    self.answers.push_back(answer);
                }
                None => self.note(format!("left {} without an answer", call.method)),
            }
            return;
        };
        if call.purpose == Purpose::OpenSession
            && let Some(session) = recorded.session.clone()
        {
            self.foreign.remove(&session);
            self.session = Some(session);
        }
        if let Some(at) = recorded.answer_at.filter(|&at| at < self.at) {
            self.answer(at);
        }
    }

    /// Gives the recorded answer at record `at` to the driver's call that it belongs to.
    fn answer(&mut self, at: usize) {
        let Some(Record::Out(Line {
            json: Some(line), ..
        })) = self.records.get(at)
        else {
            return;
        };
        let AgentLine::Answer(answer) = (self.dialect.agent)(line) else {
            return;
        };
        let Some(recorded) = self.recorded.answered_at(at) else {
            self.note(format!("skipped an answer to no call, id {}", answer.id));
            return;
        };
        let Some(call) = &recorded.claimed_by else {
            if let Some(session) = answer.session
                && self.session.as_ref() != Some(&session)
            {
                self.foreign.insert(session);
            }
            return;
        };
        let given = (self.dialect.readdress)(line, call);
        if let Some(prompt) = &mut self.prompt
            && prompt.at == recorded.at
        {
            prompt.native = answer.turn.or(prompt.native.take());
            prompt.ended |= answer.ends_turn || answer.is_error;
        }
        self.answers.push_back(given);
    }

    fn agent(&mut self, at: usize, line: &Line) {
        let meaning = line.json.as_ref().map(self.dialect.agent);
        match meaning {
            Some(AgentLine::Answer(_)) => {
                self.answer(at);
                if let Some(answer) = self.answers.pop_front() {
                    self.feed(Input::Frame(answer.to_string().into_bytes()));
                }
            }
            Some(AgentLine::Event(event)) => {
                if event
                    .session
                    .as_ref()
                    .is_some_and(|session| self.foreign.contains(session))
                {
                    self.note("skipped a line of another session".to_owned());
                    return;
                }
                self.saw_end(&event);
                let json = line.json.as_ref();
                let fitted = json.and_then(|json| (self.dialect.fit)(json, &self.workdir));
                let text = fitted.map_or_else(|| line.text.clone(), |line| line.to_string());
                self.feed(Input::Frame(text.into_bytes()));
            }
            None => self.feed(Input::Frame(line.text.clone().into_bytes())),
        }
    }

    fn saw_end(&mut self, event: &Event) {
        if let (Some(ended), Some(prompt)) = (&event.ends_turn, &mut self.prompt)
            && prompt.native.as_ref().is_none_or(|native| native == ended)
        {
            prompt.ended = true;
        }
    }

    fn client(&mut self, line: &Line) {
        let Some(meaning) = line.json.as_ref().map(self.dialect.client) else {
            return self.note("skipped a client line that is no JSON".to_owned());
        };
        let ClientLine::Call(call) = meaning else {
            return;
        };
        let reason = match &call.purpose {
            Purpose::Handshake | Purpose::OpenSession => return,
            Purpose::Prompt(text) => self.prompted(&call, text),
            Purpose::Cancel => self.cancelled(&call),
            Purpose::Other => self.other_call(),
        };
        if let Err(reason) = reason {
            self.recorded.skip(self.at);
            self.note(format!("skipped {}: {reason}", call.method));
        }
    }

    fn prompted(&mut self, call: &Call, text: &str) -> Result<(), &'static str> {
        self.of_our_session(call)?;
        if self.prompt.as_ref().is_some_and(|prompt| !prompt.ended) {
            return Err("it overlaps the prompt before it");
        }
        self.settle();
        self.make_ready()?;
        self.turns += 1;
        let turn = format!("turn-{}", self.turns);
        self.prompt = Some(Prompted {
            at: self.at,
            turn: turn.clone(),
            native: None,
            cancelled: false,
            ended: false,
        });
        self.feed(Input::Prompt(Prompt {
            turn,
            content: vec![Content::Text(text.to_owned())],
        }));
        Ok(())
    }

    fn cancelled(&mut self, call: &Call) -> Result<(), &'static str> {
        self.of_our_session(call)?;
        let open = self.conduct.open_turn();
        let Some(prompt) = &mut self.prompt else {
            return Err("no turn is running");
        };
        if open != Some(&prompt.turn) {
            return Err("no turn is running");
        }
        if call.turn.is_some() && prompt.native.is_some() && call.turn != prompt.native {
            return Err("it names another turn");
        }
        // A recorded client may ask again; a host cancels once, and how often is the driver's.
        if !prompt.cancelled {
            prompt.cancelled = true;
            let turn = prompt.turn.clone();
            self.feed(Input::Cancel(turn));
        }
        Ok(())
    }

    fn other_call(&self) -> Result<(), &'static str> {
        let claimed = self
            .recorded
            .at(self.at)
            .is_some_and(|recorded| recorded.claimed_by.is_some());
        // The driver may still make it; then it is found by its method.
        if claimed {
            Ok(())
        } else {
            Err("a driver has no such input")
        }
    }

    fn of_our_session(&self, call: &Call) -> Result<(), &'static str> {
        match (&call.session, &self.session) {
            (Some(theirs), Some(ours)) if theirs != ours => Err("it is of another session"),
            (Some(theirs), None) if self.foreign.contains(theirs) => {
                Err("it is of another session")
            }
            _ => Ok(()),
        }
    }

    /// The recording has shown the end of the turn but the driver waits on: let its time pass.
    fn settle(&mut self) {
        self.let_time_pass(|player| player.conduct.open_turn().is_none());
    }

    /// Lets a driver that takes no prompt yet hear what else the recording has for it.
    fn make_ready(&mut self) -> Result<(), &'static str> {
        let ready = |player: &Self| player.conduct.is_ready() && !player.hold;
        for at in self.at + 1..self.records.len() {
            if ready(self) {
                return Ok(());
            }
            if let Some(Record::Out(line)) = self.records.get(at)
                && self.prepares(at, line)
            {
                self.played.insert(at);
                self.agent(at, line);
            }
        }
        self.let_time_pass(ready);
        if ready(self) {
            return Ok(());
        }
        Err("the driver takes no prompt")
    }

    fn prepares(&self, at: usize, line: &Line) -> bool {
        match line.json.as_ref().map(self.dialect.agent) {
            Some(AgentLine::Event(event)) => event.prepares,
            Some(AgentLine::Answer(_)) => self.recorded.answered_at(at).is_some_and(|recorded| {
                recorded.claimed_by.is_some()
                    && matches!(
                        recorded.call.purpose,
                        Purpose::Handshake | Purpose::OpenSession
                    )
            }),
            None => false,
        }
    }

    /// Fires armed timers, the next one first, until `enough`.
    fn let_time_pass(&mut self, enough: impl Fn(&Self) -> bool) {
        for _ in 0..TIMERS_AT_ONCE {
            if enough(self) || self.failed || self.lost {
                return;
            }
            let next = self
                .timers
                .iter()
                .enumerate()
                .min_by_key(|(_, timer)| timer.after)
                .map(|(index, _)| index);
            let Some(next) = next else { return };
            let timer = self.timers.remove(next);
            self.note(format!("let the timer {} fire", timer.name));
            self.feed(Input::Timer(timer.name));
        }
    }

    fn close(&mut self) {
        self.feed(Input::Close);
    }

    fn exit(&mut self, code: Option<i32>, signal: Option<i32>) {
        let recorded_end = self.prompt.as_ref().is_none_or(|prompt| prompt.ended);
        if recorded_end {
            self.settle();
            self.close();
        }
        self.feed(Input::StdoutEof);
        self.feed(Input::ProcessExited(ExitStatus {
            code,
            signal,
            expected: recorded_end,
        }));
    }

    fn gave_up(&mut self) {
        let rest = self.recorded.prompts_after(self.at);
        if rest > 0 {
            self.note(format!("skipped {rest} prompts: the session had failed"));
        }
        self.feed(Input::StdoutEof);
        self.feed(Input::ProcessExited(ExitStatus {
            code: None,
            signal: Some(SIGTERM),
            expected: true,
        }));
    }

    fn finish(&mut self, exited: bool) {
        if self.failed && !exited {
            self.gave_up();
        } else if !exited {
            self.settle();
        }
        let Some(prompt) = &self.prompt else { return };
        if self.conduct.open_turn() != Some(&prompt.turn) {
            return;
        }
        let turn = prompt.turn.clone();
        let because = match (prompt.ended, exited) {
            (true, _) => "the recording has its answer",
            (false, true) => "the process ended",
            (false, false) => return self.note(format!("{turn} is left open, as it was recorded")),
        };
        self.outcome
            .failures
            .push(Wrong::NoTerminal { turn, because });
    }
}
