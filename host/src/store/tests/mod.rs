//! The store's promises, held against a real database on the disk.

mod accepting;
mod committing;
mod opening;
mod reading;
mod stage;
mod turns;
