//! Time and chance, as arguments: the broker has no other.

use std::sync::Arc;

use crate::protocol::{Minted, Timestamp};

/// A clock and a source of random bits.
#[derive(Clone)]
pub struct Sources {
    clock: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    bits: Arc<dyn Fn() -> u128 + Send + Sync>,
}

impl Sources {
    /// From two functions.
    pub fn new(
        clock: impl Fn() -> Timestamp + Send + Sync + 'static,
        bits: impl Fn() -> u128 + Send + Sync + 'static,
    ) -> Self {
        Self {
            clock: Arc::new(clock),
            bits: Arc::new(bits),
        }
    }

    /// The system's clock and randomness.
    pub fn of_the_system() -> Self {
        Self::new(
            || Timestamp(jiff::Timestamp::now().as_millisecond()),
            || {
                let mut bytes = [0; 16];
                match getrandom::fill(&mut bytes) {
                    Ok(()) => u128::from_ne_bytes(bytes),
                    // A system without randomness cannot give a binding that nobody guesses.
                    Err(error) => panic!("the system gives no random numbers: {error}"),
                }
            },
        )
    }

    /// Now.
    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// 128 random bits.
    pub fn bits(&self) -> u128 {
        (self.bits)()
    }

    /// A new id.
    pub fn mint<T: Minted>(&self) -> T {
        T::mint(self.bits())
    }
}
