//! One text for one meaning: the canonical form behind idempotency and runtime keys.

use serde::Serialize;
use sha2::{Digest, Sha256};

/// SHA-256 of the canonical JSON of `value` (keys sorted, no spaces), as 64 hex digits.
pub fn hash(value: &impl Serialize) -> String {
    // invariant: callers pass JSON values and structs of plain fields, which always serialize;
    // serde_json's map sorts its keys
    let sorted = serde_json::to_value(value).unwrap_or_default();
    let digest = Sha256::digest(sorted.to_string().as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn idem_02_key_order_does_not_matter_and_content_does() {
        let one = super::hash(&json!({"b": 1, "a": [1, 2]}));
        assert_eq!(one, super::hash(&json!({"a": [1, 2], "b": 1})));
        assert_ne!(one, super::hash(&json!({"a": [2, 1], "b": 1})));
        assert_eq!(one.len(), 64);
    }
}
