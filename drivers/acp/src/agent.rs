//! What is known of one ACP agent before it speaks, and what is odd about it, as data.
//!
//! The state machine asks these fields and never a name. An agent that nobody described is
//! [`Agent::UNKNOWN`], which assumes nothing beyond the protocol.

use groupx_driver_sdk::Executable;

/// One agent.
#[derive(Debug, Clone, Copy)]
pub struct Agent {
    /// `agentInfo.name` of its answer to `initialize`; empty if it gives none.
    pub calls_itself: &'static str,
    /// Its name for people; empty: as it calls itself.
    pub title: &'static str,
    /// The program's bare name.
    pub program: &'static str,
    /// Further places of the program, `~/` allowed.
    pub places: &'static [&'static str],
    /// What prints its version; empty: it is never asked.
    pub version_args: &'static [&'static str],
    /// How to get it.
    pub install_hint: &'static str,
    /// What makes the program speak ACP, and unattended where flags decide that.
    pub args: &'static [&'static str],
    /// The mode in which it asks nobody.
    pub mode: Mode,
    /// Advice where it lacks that mode.
    pub without_mode: &'static str,
    /// Advice where it wants a login.
    pub login: &'static str,
    /// What an end without any answer means, as the end of a sentence.
    pub on_silence: &'static str,
    /// Where its answer to a prompt holds token figures, as JSON pointers.
    pub usage_at: &'static [&'static str],
    /// Whether those figures count since the process began; otherwise they are the turn's own.
    pub usage_is_cumulative: bool,
    /// Whether a real answer always comes with figures: an `end_turn` without them is a failure whose
    /// reason was said as text.
    pub usage_proves_success: bool,
    /// How such a reason begins; other text is an answer that was broken off.
    pub failure_words: &'static [&'static str],
    /// How the text begins by which a session shows that it will never answer again.
    pub stuck: Option<&'static str>,
    /// Whether a cancel that is not answered with `cancelled` hits the next prompt, which then sticks.
    pub unheard_cancel_sticks: bool,
    /// Whether a loaded session without modes is none.
    pub loads_with_modes: bool,
    /// The notification that says that the MCP servers are there; a prompt before it may miss the tools.
    pub tools_sign: Option<&'static str>,
    /// The vendor notification that tells of retries.
    pub vendor_news: Option<&'static str>,
    /// Whether a running tool's text is the input that the model is still writing, not an output.
    pub shows_input_as_content: bool,
}

/// How unattended work is asked for over the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// This one must be offered and accepted, or the session is of no use.
    Must(&'static str),
    /// The first of these that is offered, then of [`UNATTENDED`]; without one, the arguments do.
    Prefer(&'static [&'static str]),
}

/// Names under which agents offer to ask nobody, most thorough first.
pub const UNATTENDED: [&str; 5] = [
    "yolo",
    "auto-approve",
    "dont_ask",
    "bypassPermissions",
    "auto",
];

impl Agent {
    /// An agent of which nothing is known.
    pub const UNKNOWN: Self = Self {
        calls_itself: "",
        title: "",
        program: "",
        places: &[],
        version_args: &["--version"],
        install_hint: "",
        args: &[],
        mode: Mode::Prefer(&[]),
        without_mode: "",
        login: "Sign in with its own command line.",
        on_silence: "",
        usage_at: &["/usage", "/_meta/usage", "/_meta/quota/token_count"],
        usage_is_cumulative: false,
        usage_proves_success: false,
        failure_words: &[],
        stuck: None,
        unheard_cancel_sticks: false,
        loads_with_modes: false,
        tools_sign: None,
        vendor_news: None,
        shows_input_as_content: false,
    };

    /// Where to look for it.
    pub(crate) fn executable(&self) -> Executable {
        let owned = |words: &[&str]| words.iter().map(ToString::to_string).collect();
        Executable {
            name: self.program.to_owned(),
            places: owned(self.places),
            version_args: owned(self.version_args),
            install_hint: self.install_hint.to_owned(),
        }
    }
}
