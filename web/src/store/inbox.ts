/**
 * What has arrived and is not folded in yet. It merges what streams, so that a tab that nobody looks
 * at holds little however long it sleeps. It refuses to know when it will be emptied.
 */

import type { Envelope } from "../generated/protocol";
import { isRecord, textAt } from "./facts";

const STREAMED = new Set(["turn.content.delta", "turn.reasoning.delta"]);

export class Inbox {
  private waiting: Envelope[] = [];
  /** Where the text that streams for one Turn stands; void after any durable event. */
  private places = new Map<string, number>();
  /** The newest durable event that has arrived. */
  lastSeq = 0;

  get size(): number {
    return this.waiting.length;
  }

  push(envelope: Envelope): void {
    if (envelope.seq !== null) {
      this.lastSeq = Math.max(this.lastSeq, envelope.seq);
      this.places.clear();
      this.waiting.push(envelope);
      return;
    }
    const place = placeOf(envelope);
    const at = place === null ? undefined : this.places.get(place);
    const before = at === undefined ? undefined : this.waiting[at];
    if (before === undefined || at === undefined) {
      if (place !== null) this.places.set(place, this.waiting.length);
      this.waiting.push(envelope);
      return;
    }
    this.waiting[at] = joined(before, envelope);
  }

  /** Everything that waits, in order; the inbox is empty afterwards. */
  take(): readonly Envelope[] {
    const taken = this.waiting;
    this.waiting = [];
    this.places = new Map();
    return taken;
  }

  /** Forgets what waits and starts at another place of the room's history. */
  restart(seq: number): void {
    this.take();
    this.lastSeq = seq;
  }
}

function placeOf({ type, body }: Envelope): string | null {
  if (!isRecord(body)) return null;
  const turnId = textAt(body, "turnId");
  if (turnId === null) return null;
  return STREAMED.has(type) || type === "turn.progress" ? `${type} ${turnId}` : null;
}

function joined(before: Envelope, next: Envelope): Envelope {
  if (
    !isRecord(before.body) ||
    !isRecord(next.body) ||
    !STREAMED.has(next.type) ||
    next.body["reset"] === true
  )
    return next;
  const text = (textAt(before.body, "text") ?? "") + (textAt(next.body, "text") ?? "");
  return { ...next, body: { ...before.body, ...next.body, text } };
}
