/**
 * The page's one store: holds the folded state and brings in what arrives, once a frame. It refuses
 * to know the wire.
 */

import { signal, type ReadonlySignal } from "@preact/signals";
import type { AgentHealth, Bootstrap, Envelope, HistoryPage } from "../generated/protocol";
import { withTools } from "./agents";
import { applyAll, applyOlder } from "./apply";
import { Inbox } from "./inbox";
import { continues, openRoom, withAgents, withGap } from "./open";
import type { RoomState } from "./state";

/** Calls back before the next picture is drawn; never while the tab is hidden. */
export type Pacer = (flush: () => void) => void;

export class Room {
  private readonly current = signal<RoomState | null>(null);
  private readonly inbox = new Inbox();
  private readonly listeners = new Set<(envelope: Envelope) => void>();

  constructor(private readonly pace: Pacer) {}

  /** Null until the first snapshot has come. */
  get state(): ReadonlySignal<RoomState | null> {
    return this.current;
  }

  /** Where a new stream has to go on. */
  get cursor(): number {
    return this.inbox.lastSeq;
  }

  /** Begins with a snapshot, or goes on from what is there when that is the same room. */
  meet(snapshot: Bootstrap): void {
    this.flush();
    const before = this.current.peek();
    if (before !== null && continues(before, snapshot)) {
      this.current.value = withAgents(withGap(before), snapshot);
      return;
    }
    this.current.value = openRoom(snapshot);
    this.inbox.restart(snapshot.room.throughSeq);
  }

  /** Takes one event of the stream; it is seen with the next frame. */
  receive(envelope: Envelope): void {
    const waiting = this.inbox.size > 0;
    this.inbox.push(envelope);
    for (const listener of this.listeners) listener(envelope);
    if (!waiting) this.pace(() => this.flush());
  }

  /** Adds a page of older events. */
  addOlder(page: HistoryPage): void {
    const state = this.current.peek();
    if (state !== null)
      this.current.value = applyOlder(state, page.events, page.previousPage?.beforeSeq ?? null);
  }

  /** Takes over how the agents' tools stand. */
  noteTools(seen: readonly AgentHealth[]): void {
    const state = this.current.peek();
    if (state !== null) this.current.value = withTools(state, seen);
  }

  /** Hears of every event as it arrives, also while the tab is hidden. */
  onArrival(listener: (envelope: Envelope) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private flush(): void {
    const state = this.current.peek();
    if (state !== null && this.inbox.size > 0) this.current.value = applyAll(state, this.inbox.take());
  }
}
