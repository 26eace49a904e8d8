//! The text of the event stream: one event a frame, many frames a chunk.

use std::fmt::Write;

use bytes::{BufMut, Bytes, BytesMut};

use crate::broker::Frame;
use crate::protocol::Seq;

/// Room for the field names and a seq of any length.
const AROUND: usize = 40;

/// One chunk with all these frames; the JSON of an event is copied once and never read.
pub(super) fn encode(frames: &[Frame]) -> Bytes {
    let size = frames.iter().map(|frame| frame.json.len() + AROUND).sum();
    let mut chunk = BytesMut::with_capacity(size);
    for frame in frames {
        // A transient event has no id: a client must not take it for a cursor.
        if let Some(Seq(seq)) = frame.seq {
            // invariant: writing into memory that grows never fails
            let _ = writeln!(chunk, "id: {seq}");
        }
        chunk.put_slice(b"data: ");
        chunk.put_slice(&frame.json);
        chunk.put_slice(b"\n\n");
    }
    chunk.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(seq: Option<u64>, json: &'static str) -> Frame {
        Frame {
            seq: seq.map(Seq),
            json: Bytes::from_static(json.as_bytes()),
        }
    }

    #[test]
    fn env_01_a_durable_event_has_an_id_and_a_transient_one_has_none() {
        let chunk = encode(&[
            frame(Some(7), "{\"seq\":7}"),
            frame(None, "{\"seq\":null}"),
            frame(Some(u64::MAX), "{}"),
        ]);
        let text = "id: 7\ndata: {\"seq\":7}\n\n\
                    data: {\"seq\":null}\n\n\
                    id: 18446744073709551615\ndata: {}\n\n";
        assert_eq!(chunk, text);
    }

    #[test]
    fn rest_04_no_frames_make_no_bytes() {
        assert!(encode(&[]).is_empty());
    }
}
