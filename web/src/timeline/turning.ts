/** What the user has asked of Turns and agents and the host has not confirmed yet. */

import { signal, type ReadonlySignal } from "@preact/signals";
import { api, Refused } from "../connection/api";

/** How a wish stands: under way, or refused with the host's words. */
export type Wish = { readonly is: "asked" } | { readonly is: "refused"; readonly message: string };

export class Turning {
  private readonly asked = signal<ReadonlyMap<string, Wish>>(new Map());

  /** By turn id or actor id. */
  get wishes(): ReadonlySignal<ReadonlyMap<string, Wish>> {
    return this.asked;
  }

  stop(turnId: string): Promise<void> {
    return this.ask(turnId, () => api.cancel(turnId));
  }

  restart(actorId: string): Promise<void> {
    return this.ask(actorId, () => api.restart(actorId));
  }

  private async ask(id: string, call: () => Promise<unknown>): Promise<void> {
    if (this.asked.peek().get(id)?.is === "asked") return;
    this.note(id, { is: "asked" });
    try {
      await call();
      this.note(id, null);
    } catch (error) {
      const message = error instanceof Refused ? error.message : "";
      this.note(id, message === "" ? null : { is: "refused", message });
    }
  }

  private note(id: string, wish: Wish | null): void {
    const next = new Map(this.asked.peek());
    if (wish === null) next.delete(id);
    else next.set(id, wish);
    this.asked.value = next;
  }
}
