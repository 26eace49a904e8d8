//! The words for where a Turn and its attempt stand (protocol sections 2.1 and 5).

use serde::{Deserialize, Serialize};

macro_rules! stored_word {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $word)] $variant),+
        }

        impl $name {
            /// Every value, for tables and tests.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word on the wire and in the store.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Reads the word back; `None` for a word that this edition does not know.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

stored_word!(
    /// Where a Turn stands. The last four are terminal and never change.
    TurnStatus {
        /// Waits in its agent's lane.
        Queued = "queued",
        /// Claimed by its lane; the prompt may or may not have been handed over.
        Dispatching = "dispatching",
        /// The prompt was handed over and the agent works on it.
        Running = "running",
        /// A cancel was asked for and is not settled yet.
        Cancelling = "cancelling",
        /// Ended with an answer.
        Completed = "completed",
        /// Ended with a reason.
        Failed = "failed",
        /// Ended because somebody asked.
        Cancelled = "cancelled",
        /// Ended without anyone knowing how far the agent got.
        Interrupted = "interrupted",
    }
);

impl TurnStatus {
    /// Completed, failed, cancelled or interrupted.
    pub fn is_terminal(self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Failed | Self::Cancelled | Self::Interrupted
        )
    }
}

stored_word!(
    /// How far one attempt got; it only ever moves forward.
    DispatchPhase {
        /// Claimed, nothing handed over.
        Prepared = "prepared",
        /// Written down before the first prompt byte leaves us.
        PromptInvoked = "prompt_invoked",
        /// The native side showed that it works on the prompt.
        NativeStarted = "native_started",
        /// Over.
        Terminal = "terminal",
    }
);

stored_word!(
    /// What we know about the prompt's arrival; `delivered` never becomes `unknown` again.
    DeliveryCertainty {
        /// It cannot have arrived.
        NotDelivered = "not_delivered",
        /// It has arrived.
        Delivered = "delivered",
        /// It may have arrived.
        Unknown = "unknown",
    }
);

stored_word!(
    /// How a Turn was meant to reach its agent. Only `structured` is ever run.
    Transport {
        /// Deprecated: readable in old stores, refused everywhere else.
        Direct = "direct",
        /// A long-lived native session.
        Structured = "structured",
    }
);
