//! The drivers that are part of this program: what the build script has built.

/// Id and component of each, in the order of their ids.
pub(super) const BUNDLED: &[(&str, &[u8])] =
    include!(concat!(env!("OUT_DIR"), "/bundled_drivers.rs"));
