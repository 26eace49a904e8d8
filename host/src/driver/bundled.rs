//! The drivers that are part of this program.

/// Id and component of each, in the order of their ids.
pub(super) const BUNDLED: &[(&str, &[u8])] = &[];
