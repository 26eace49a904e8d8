/**
 * The message that is being written: text, recipients, what it replies to. It is kept in the browser
 * until the host has accepted it, and one text is one command however often it is sent.
 */

import { effect, signal } from "@preact/signals";
import { api, newCommandId, Refused } from "../connection/api";

/** The token for every enabled agent. */
export const ALL = "@all";

/** Why the message still stands here. */
type Refusal =
  | { readonly is: "no-target" }
  | { readonly is: "no-host" }
  | { readonly is: "refused"; readonly message: string };

export class Composing {
  readonly text = signal("");
  /** Actor ids, or `@all` alone. */
  readonly to = signal<readonly string[]>([]);
  readonly replyTo = signal<string | null>(null);
  readonly sending = signal(false);
  readonly refusal = signal<Refusal | null>(null);
  private command: { readonly id: string; readonly payload: string } | null = null;

  constructor(private readonly storage: Storage) {
    const kept = readKept(storage.getItem(KEY));
    this.text.value = kept.text;
    this.to.value = kept.to;
    this.replyTo.value = kept.replyTo;
    effect(() => this.keep());
  }

  /** Chooses or leaves out one recipient; `@all` and single agents exclude each other. */
  toggle(target: string): void {
    const { value } = this.to;
    this.refusal.value = null;
    if (value.includes(target)) this.to.value = value.filter((other) => other !== target);
    else this.to.value = target === ALL ? [ALL] : [...value.filter((other) => other !== ALL), target];
  }

  /** Chooses exactly these. */
  address(targets: readonly string[]): void {
    this.to.value = targets;
    this.refusal.value = null;
  }

  /** Forgets recipients that are not in the room; with nobody left the first agent is chosen. */
  keepTo(known: readonly string[]): void {
    const kept = this.to
      .peek()
      .filter((target) => (target === ALL ? known.length > 1 : known.includes(target)));
    const first = known[0];
    const next = kept.length === 0 && first !== undefined ? [first] : kept;
    if (next.length !== this.to.peek().length || next[0] !== this.to.peek()[0]) this.to.value = next;
  }

  /** Sends what is written; true when the host has accepted it. */
  async send(): Promise<boolean> {
    const content = this.text.peek();
    const to = this.to.peek();
    if (content.trim() === "" || this.sending.peek()) return false;
    if (to.length === 0) {
      this.refusal.value = { is: "no-target" };
      return false;
    }
    const replyToEventId = this.replyTo.peek();
    this.sending.value = true;
    this.refusal.value = null;
    try {
      await api.send({
        clientCommandId: this.commandFor(JSON.stringify([content, to, replyToEventId])),
        to,
        content,
        replyToEventId,
      });
      this.command = null;
      this.text.value = "";
      this.replyTo.value = null;
      return true;
    } catch (error) {
      this.refusal.value = refusalOf(error);
      return false;
    } finally {
      this.sending.value = false;
    }
  }

  /** The same message keeps its id, so that a second try after a lost answer is not a second message. */
  private commandFor(payload: string): string {
    if (this.command?.payload !== payload) this.command = { id: newCommandId(), payload };
    return this.command.id;
  }

  private keep(): void {
    const draft: Kept = { text: this.text.value, to: this.to.value, replyTo: this.replyTo.value };
    try {
      this.storage.setItem(KEY, JSON.stringify(draft));
    } catch {
      // A full storage only means that the draft does not survive a reload.
    }
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused && error.message !== "") return { is: "refused", message: error.message };
  return { is: "no-host" };
}

interface Kept {
  readonly text: string;
  readonly to: readonly string[];
  readonly replyTo: string | null;
}

const KEY = "groupx.draft";

function readKept(json: string | null): Kept {
  const nothing: Kept = { text: "", to: [], replyTo: null };
  if (json === null) return nothing;
  try {
    const kept: unknown = JSON.parse(json);
    if (typeof kept !== "object" || kept === null) return nothing;
    const { text, to, replyTo } = kept as Record<string, unknown>;
    return {
      text: typeof text === "string" ? text : "",
      to: Array.isArray(to) ? to.filter((target) => typeof target === "string") : [],
      replyTo: typeof replyTo === "string" ? replyTo : null,
    };
  } catch {
    return nothing;
  }
}
