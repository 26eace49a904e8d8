/** Where the user is in the timeline: the focused row, and a wish to be brought somewhere. */

import { signal } from "@preact/signals";

/** Where the user wants to be brought. */
export type Wanted = { readonly is: "row"; readonly id: string } | { readonly is: "end" };

export class Places {
  /** The row that the keys act on. */
  readonly current = signal<string | null>(null);
  /** The Turn that one more Esc would stop. */
  readonly aboutToStop = signal<string | null>(null);
  /** Where to go; the timeline takes it and sets it back to null. */
  readonly wanted = signal<Wanted | null>(null);

  /** Brings a row into view and the focus to it. */
  go(id: string): void {
    this.current.value = id;
    this.wanted.value = { is: "row", id };
  }

  toEnd(): void {
    this.wanted.value = { is: "end" };
  }
}
