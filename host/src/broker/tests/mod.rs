//! The broker's promises, with a real store under it and sessions that the stories play by hand.

mod answering;
mod cancelling;
mod losing;
mod stage;
mod starting;
