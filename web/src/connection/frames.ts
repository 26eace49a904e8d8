/**
 * Reads a server-sent event stream from text chunks. It owns the framing only: what is no data, as
 * heartbeats and ids, is skipped, since every event says its own place. It refuses to know what an
 * event means.
 */

/** A reader that keeps what a chunk left unfinished. */
export class FrameReader {
  private rest = "";
  private lines: string[] = [];

  /** The data of every event that this chunk completes, in order. */
  push(chunk: string): readonly string[] {
    const data: string[] = [];
    const text = this.rest + chunk;
    let from = 0;
    // What is left over from before holds no line end: a long event is not searched again and again.
    for (let at = text.indexOf("\n", this.rest.length); at >= 0; at = text.indexOf("\n", from)) {
      const line = text.slice(from, text[at - 1] === "\r" ? at - 1 : at);
      from = at + 1;
      if (line === "") {
        if (this.lines.length > 0) data.push(this.lines.join("\n"));
        this.lines = [];
      } else if (line.startsWith("data:")) {
        this.lines.push(line.slice(line[5] === " " ? 6 : 5));
      }
    }
    this.rest = text.slice(from);
    return data;
  }
}
