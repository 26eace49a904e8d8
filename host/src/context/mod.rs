//! What an agent is told with each Turn: rows in, text out.
//!
//! It owns the packet's sections, their order, their budget and the framing that lets no content
//! pass for an entry, a heading or an author. It starts nothing, asks no store and knows no agent.

mod frame;
mod packet;

pub use packet::{Packet, PacketParts, TooLong, Tools, build};
