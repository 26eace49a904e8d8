//! What is only live: transient events on their way to whoever listens now.
//!
//! Each listener has a mailbox of its own, bounded in frames and bytes; what waits there is merged
//! in constant time, and dropped before anything durable ever is (REST-04).

mod mailbox;
mod subscription;

use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::protocol::{Envelope, EventBody, Seq};

use mailbox::Mailbox;
pub use mailbox::MailboxLimits;
pub use subscription::{Frame, Subscription};

/// A transient event and the commit that it came after.
#[derive(Debug, Clone)]
pub struct LiveEvent {
    /// The envelope without its body's latest text; see `body`.
    pub envelope: Arc<Envelope>,
    /// What it says, in a form that can be merged.
    pub body: EventBody,
    /// Everything up to here was committed before it.
    pub after: Seq,
}

/// The listeners.
#[derive(Debug, Default)]
pub struct LiveBus(Mutex<Vec<Weak<Mailbox>>>);

impl LiveBus {
    /// Puts an event into every mailbox.
    pub fn publish(&self, event: &LiveEvent) {
        let mut listeners = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        listeners.retain(|listener| match listener.upgrade() {
            Some(mailbox) => {
                mailbox.put(event);
                true
            }
            None => false,
        });
    }

    fn listen(&self, limits: MailboxLimits) -> Arc<Mailbox> {
        let mailbox = Arc::new(Mailbox::new(limits));
        let mut listeners = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        listeners.push(Arc::downgrade(&mailbox));
        mailbox
    }
}
