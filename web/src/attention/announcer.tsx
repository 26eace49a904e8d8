/**
 * What is said aloud to those who listen: one polite region, one assertive one. Text that streams is
 * never among it.
 */

import { signal } from "@preact/signals";

export class Announcer {
  readonly politely = signal("");
  readonly urgently = signal("");

  polite(text: string): void {
    this.politely.value = distinct(this.politely.peek(), text);
  }

  assertive(text: string): void {
    this.urgently.value = distinct(this.urgently.peek(), text);
  }
}

/** The same words twice would not be read twice. */
function distinct(before: string, text: string): string {
  return before === text ? `${text}\u00a0` : text;
}

export function LiveRegions({ announcer }: { readonly announcer: Announcer }) {
  return (
    <>
      <div class="unseen" role="status" aria-live="polite">
        {announcer.politely.value}
      </div>
      <div class="unseen" role="alert" aria-live="assertive">
        {announcer.urgently.value}
      </div>
    </>
  );
}
