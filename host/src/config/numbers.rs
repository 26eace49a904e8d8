//! The sections `limits` and `timeouts`: every number with its default, bounds and upgrade.

use std::time::Duration;

use serde::Serialize;

use super::key::{Group, Key, Whole};
use super::section::Section;

/// What a checked whole number of the file becomes. Every bound below fits 32 bits, so the
/// saturation is never seen.
trait FromWhole {
    fn from_whole(value: u64) -> Self;
}

impl FromWhole for usize {
    fn from_whole(value: u64) -> Self {
        Self::try_from(value).unwrap_or(Self::MAX)
    }
}

impl FromWhole for u32 {
    fn from_whole(value: u64) -> Self {
        Self::try_from(value).unwrap_or(Self::MAX)
    }
}

impl FromWhole for Duration {
    fn from_whole(value: u64) -> Self {
        Self::from_millis(value)
    }
}

macro_rules! whole_numbers {
    (@formerly) => { None };
    (@formerly $value:literal) => { Some($value) };
    (
        $(#[doc = $about:literal])+
        $name:ident = $group:ident $key:literal {
            $(
                $(#[doc = $words:literal])+
                $field:ident: $kind:ty = $one:ident $word:literal,
                    $default:literal in $least:literal..=$most:literal $(formerly $formerly:literal)?;
            )+
        }
    ) => {
        $(
            static $one: Key<Whole> = Key {
                name: $word,
                about: concat!($($words),+),
                shape: Whole {
                    default: $default,
                    least: $least,
                    most: $most,
                    formerly: whole_numbers!(@formerly $($formerly)?),
                },
            };
        )+

        pub(super) static $group: Key<Group> =
            Key { name: $key, about: concat!($($about),+), shape: Group(&[$(&$one),+]) };

        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        pub struct $name {
            $($(#[doc = $words])+ pub $field: $kind,)+
        }

        impl $name {
            pub(super) fn read(section: &mut Section<'_>) -> Self {
                Self { $($field: FromWhole::from_whole(section.whole(&$one)),)+ }
            }
        }
    };
}

whole_numbers! {
    /// What one room may hold.
    Limits = LIMITS "limits" {
        /// Longest message, in UTF-16 code units.
        message_characters: usize = MESSAGE_CHARACTERS "messageCharacters",
            131_072 in 1_024..=131_072 formerly 32_768;
        /// Turns of one agent that wait or run at once.
        queue_per_agent: usize = QUEUE_PER_AGENT "queuePerAgent", 64 in 1..=10_000;
        /// Turns of one chain, which a new message of the user begins.
        root_turns: u32 = ROOT_TURNS "rootTurns", 48 in 1..=1_000 formerly 24;
        /// Agents in a row that wake one another in one chain.
        hop_count: u32 = HOP_COUNT "hopCount", 24 in 1..=1_000 formerly 12;
        /// Turns that one agent may cause in one chain.
        actor_calls_per_root: u32 = ACTOR_CALLS_PER_ROOT "actorCallsPerRoot",
            16 in 1..=1_000 formerly 8;
        /// Times that observers may steer one Turn.
        steers_per_subject_turn: u32 = STEERS_PER_SUBJECT_TURN "steersPerSubjectTurn", 3 in 1..=16;
        /// Longest context packet, in UTF-16 code units.
        context_characters: usize = CONTEXT_CHARACTERS "contextCharacters",
            256_000 in 1_024..=10_000_000 formerly 48_000;
        /// Frames that may wait for one SSE client.
        sse_events: usize = SSE_EVENTS "sseEvents", 512 in 8..=100_000;
        /// Bytes that may wait for one SSE client.
        sse_bytes: usize = SSE_BYTES "sseBytes",
            2_097_152 in 16_384..=100_000_000 formerly 524_288;
    }
}

whole_numbers! {
    /// How long each wait may take, in milliseconds in the file.
    Timeouts = TIMEOUTS "timeouts" {
        /// From the start of an agent to ready; begins anew with every step of the handshake.
        handshake: Duration = HANDSHAKE "handshakeMs", 60_000 in 100..=300_000 formerly 15_000;
        /// One request to an agent, outside a Turn.
        request: Duration = REQUEST "requestMs", 10_000 in 100..=300_000;
        /// From a prompt to the first sign of life.
        first_event: Duration = FIRST_EVENT "firstEventMs",
            180_000 in 100..=3_600_000 formerly 90_000;
        /// Silence within a Turn.
        idle: Duration = IDLE "idleMs", 300_000 in 100..=3_600_000 formerly 120_000;
        /// From a native cancel to the end of the process tree.
        cancel: Duration = CANCEL "cancelMs", 10_000 in 100..=300_000;
        /// Each step of an agent's end: stdin closed, then SIGTERM.
        close: Duration = CLOSE "closeMs", 5_000 in 100..=300_000;
        /// An `ask` of the operator; members wait 60 s at most.
        ask: Duration = ASK "askMs", 120_000 in 100..=3_600_000;
        /// A `watch`.
        watch: Duration = WATCH "watchMs", 120_000 in 100..=3_600_000;
    }
}
