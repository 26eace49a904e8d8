/**
 * Reads a server-sent event stream from text chunks. It owns the framing only: what is no data, as
 * heartbeats and ids, is skipped, since every event says its own place. It refuses to know what an
 * event means.
 */

/** A reader that keeps what a chunk left unfinished. */
export class FrameReader {
  /** The unfinished line, in the pieces it came in: joining them each time would cost its length again. */
  private pieces: string[] = [];
  private lines: string[] = [];

  /** The data of every event that this chunk completes, in order. */
  push(chunk: string): readonly string[] {
    const data: string[] = [];
    let from = 0;
    for (let at = chunk.indexOf("\n"); at >= 0; at = chunk.indexOf("\n", from)) {
      this.take(this.finished(chunk.slice(from, at)), data);
      from = at + 1;
    }
    if (from < chunk.length) this.pieces.push(chunk.slice(from));
    return data;
  }

  private finished(end: string): string {
    const line = this.pieces.length === 0 ? end : this.pieces.join("") + end;
    this.pieces = [];
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  }

  private take(line: string, data: string[]): void {
    if (line === "") {
      if (this.lines.length > 0) data.push(this.lines.join("\n"));
      this.lines = [];
    } else if (line.startsWith("data:")) {
      this.lines.push(line.slice(line[5] === " " ? 6 : 5));
    }
  }
}
