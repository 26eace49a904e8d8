//! groupx.
fn main() {}
