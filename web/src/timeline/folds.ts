/**
 * Which folded parts the user has opened. Rows come and go with the window of the timeline; what
 * was opened stays so.
 */

import { signal, type ReadonlySignal } from "@preact/signals";

export class Folds {
  private readonly opened = signal<ReadonlySet<string>>(new Set());

  get current(): ReadonlySignal<ReadonlySet<string>> {
    return this.opened;
  }

  set(key: string, open: boolean): void {
    if (this.opened.peek().has(key) === open) return;
    const next = new Set(this.opened.peek());
    if (open) next.add(key);
    else next.delete(key);
    this.opened.value = next;
  }
}
