/**
 * Reads a server-sent event stream from text chunks. It owns the framing only: one call per frame,
 * comments (heartbeats) counted as life. It refuses to know what an event means.
 */

/** What one chunk of the stream held. */
export interface Frames {
  /** The data of every event that was completed, in order. */
  readonly data: readonly string[];
  /** The server's wish for the pause before a reconnection, in milliseconds. */
  readonly retryMs: number | null;
}

/** A reader that keeps what a chunk left unfinished. */
export class FrameReader {
  private rest = "";
  private lines: string[] = [];

  push(chunk: string): Frames {
    const data: string[] = [];
    let retryMs: number | null = null;
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
        this.lines.push(valueOf(line, 5));
      } else if (line.startsWith("retry:")) {
        const wish = Number(valueOf(line, 6));
        if (Number.isSafeInteger(wish) && wish >= 0) retryMs = wish;
      }
    }
    this.rest = text.slice(from);
    return { data, retryMs };
  }
}

function valueOf(line: string, after: number): string {
  return line.slice(line[after] === " " ? after + 1 : after);
}
