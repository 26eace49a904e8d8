/** Loads older pages of the room's history, one at a time, when the user comes near their edge. */

import { signal, type ReadonlySignal } from "@preact/signals";
import { api } from "../connection/api";
import type { Room } from "../store/room";

const PAGE = 300;

/** How the last request for older events stands. */
export type Loading = "idle" | "loading" | "failed";

export class Older {
  private readonly current = signal<Loading>("idle");

  constructor(private readonly room: Room) {}

  get loading(): ReadonlySignal<Loading> {
    return this.current;
  }

  /** Asks for the next page, unless there is none, one is under way, or the last try failed. */
  want(): void {
    if (this.current.peek() === "idle") void this.load();
  }

  again(): void {
    this.current.value = "idle";
    this.want();
  }

  private async load(): Promise<void> {
    const before = this.room.state.peek();
    if (before === null || before.olderBefore === null) return;
    this.current.value = "loading";
    try {
      const page = await api.history(before.olderBefore, PAGE);
      // A page for a state that has begun anew in the meantime has no place any more.
      if (this.room.state.peek()?.olderBefore === before.olderBefore) this.room.addOlder(page);
      this.current.value = "idle";
    } catch {
      this.current.value = "failed";
      return;
    }
    // A page may only complete rows that are there: then nothing moved, and nobody would ask again.
    if (this.room.state.peek()?.rows === before.rows) this.want();
  }
}
