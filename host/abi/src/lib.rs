//! The host's side of `wit/driver.wit`: types and the typed entry to a component.
//!
//! Generated, and in a crate of its own, so that working on the host does not expand and compile
//! it again. It knows the interface and nothing else: no policy, no limits, no CLI.

#![allow(missing_docs)]

wasmtime::component::bindgen!({
    path: "../../wit",
    world: "agent-driver",
    additional_derives: [PartialEq],
});

pub use exports::groupx::driver::driver as calls;
pub use groupx::driver::{log, types};
