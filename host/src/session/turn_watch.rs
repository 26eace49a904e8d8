//! Holds a driver to its word about Turns: exactly one end each, and nothing outside of one.

use crate::protocol::TurnId;

/// What an event's Turn id means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Belongs {
    /// To the open Turn.
    Open,
    /// To the one before, which is over: it changes nothing.
    Late,
    /// To no Turn that this driver was given.
    Foreign,
}

/// The open Turn of a session, if there is one, and the one before.
#[derive(Debug, Default)]
pub(super) struct TurnWatch {
    open: Option<TurnId>,
    last: Option<TurnId>,
}

impl TurnWatch {
    /// The driver was given a prompt.
    pub(super) fn open(&mut self, turn: TurnId) {
        self.open = Some(turn);
    }

    /// The Turn is over for us, whatever the driver still says of it.
    pub(super) fn close(&mut self) -> Option<TurnId> {
        let turn = self.open.take();
        if turn.is_some() {
            self.last.clone_from(&turn);
        }
        turn
    }

    /// The open Turn.
    pub(super) fn current(&self) -> Option<&TurnId> {
        self.open.as_ref()
    }

    /// Whether this is the open Turn.
    pub(super) fn is_open(&self, turn: &TurnId) -> bool {
        self.open.as_ref() == Some(turn)
    }

    /// Where an event with this id belongs.
    pub(super) fn belongs(&self, id: &str) -> Belongs {
        let is = |turn: &Option<TurnId>| turn.as_ref().is_some_and(|t| t.as_str() == id);
        if is(&self.open) {
            Belongs::Open
        } else if is(&self.last) {
            Belongs::Late
        } else {
            Belongs::Foreign
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drv_05_only_the_open_turn_counts() {
        let mut watch = TurnWatch::default();
        assert_eq!(watch.belongs("turn_1"), Belongs::Foreign);
        watch.open(TurnId::trusted("turn_1"));
        assert_eq!(watch.belongs("turn_1"), Belongs::Open);
        watch.close();
        assert_eq!(watch.belongs("turn_1"), Belongs::Late);
        watch.open(TurnId::trusted("turn_2"));
        assert_eq!(
            (watch.belongs("turn_1"), watch.belongs("turn_2")),
            (Belongs::Late, Belongs::Open)
        );
        assert_eq!(watch.belongs("turn_3"), Belongs::Foreign);
    }
}
