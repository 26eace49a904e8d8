/**
 * The page's line to the host: snapshot, then the event stream from the cursor, for ever. It owns
 * reconnection and the rule of silence, and refuses to know what an event means.
 */

import { signal, type ReadonlySignal } from "@preact/signals";
import type { Bootstrap, Envelope } from "../generated/protocol";
import { api, Refused } from "./api";
import { pauseMs } from "./backoff";
import { FrameReader } from "./frames";

/** How the line stands. */
export type LinkState =
  | { readonly is: "opening" }
  | { readonly is: "live" }
  /** Times are epoch milliseconds; `nextTryAt` is null while a try runs. */
  | { readonly is: "lost"; readonly since: number; readonly nextTryAt: number | null };

/** What the link feeds. */
export interface Receiver {
  readonly cursor: number;
  meet(snapshot: Bootstrap): void;
  receive(envelope: Envelope): void;
}

/** The host sends a heartbeat every 15 s: without a sign of life for this long the line is dead. */
const SILENCE_MS = 60_000;
const LOOK_EVERY_MS = 5_000;

export class Link {
  private readonly current = signal<LinkState>({ is: "opening" });
  private wake: () => void = () => undefined;
  private heardAt = 0;
  private stream: AbortController | null = null;

  constructor(private readonly receiver: Receiver) {}

  get state(): ReadonlySignal<LinkState> {
    return this.current;
  }

  /** Runs until the page is closed. */
  start(): void {
    setInterval(() => this.listen(), LOOK_EVERY_MS);
    document.addEventListener("visibilitychange", () => {
      this.listen();
      this.wake();
    });
    addEventListener("online", () => this.wake());
    void this.run();
  }

  /** Ends the pause before the next try. */
  tryNow(): void {
    this.wake();
  }

  private async run(): Promise<never> {
    for (let tries = 0; ; tries += 1) {
      const begun = await this.follow();
      if (begun) tries = 0;
      const pause = pauseMs(tries, Math.random());
      this.lose(Date.now() + pause);
      await this.pause(pause);
      this.lose(null);
    }
  }

  /** One connection, from snapshot to its end; true when it was live. */
  private async follow(): Promise<boolean> {
    const stream = new AbortController();
    this.stream = stream;
    this.heardAt = Date.now();
    let live = false;
    try {
      this.receiver.meet(await api.bootstrap(stream.signal));
      const response = await fetch(`/api/events?afterSeq=${this.receiver.cursor}`, {
        headers: { accept: "text/event-stream" },
        cache: "no-store",
        signal: stream.signal,
      });
      if (!response.ok || response.body === null) throw new Refused(null, "", response.status);
      live = true;
      this.current.value = { is: "live" };
      await this.read(response.body);
    } catch {
      // However it ended, the answer is the same: wait, then go on from the cursor.
    }
    stream.abort();
    return live;
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    const frames = new FrameReader();
    const text = new TextDecoder();
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.heardAt = Date.now();
      for (const data of frames.push(text.decode(value, { stream: true }))) {
        this.receiver.receive(JSON.parse(data) as Envelope);
      }
    }
  }

  /** A socket that a sleeping machine left behind still looks open: only silence tells. */
  private listen(): void {
    if (Date.now() - this.heardAt > SILENCE_MS) this.stream?.abort();
  }

  private lose(nextTryAt: number | null): void {
    const before = this.current.peek();
    const since = before.is === "lost" ? before.since : Date.now();
    this.current.value = { is: "lost", since, nextTryAt };
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
