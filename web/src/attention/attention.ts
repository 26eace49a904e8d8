/**
 * Draws the user's attention to what ended: announced while the page is seen; in the title, and by a
 * notification if the user has allowed it, while it is not.
 */

import { effect, signal, type ReadonlySignal } from "@preact/signals";
import type { Envelope } from "../generated/protocol";
import type { LanguageChoice } from "../language/language";
import type { Room } from "../store/room";
import type { Announcer } from "./announcer";
import { endingIn, type Ending } from "./endings";

/** How many hidden endings are named each by itself. */
const MOST_NOTIFICATIONS = 3;

export class Attention {
  private readonly hidden = signal(0);
  private readonly wanted = signal(false);

  constructor(
    private readonly room: Room,
    private readonly language: LanguageChoice,
    private readonly announcer: Announcer,
    private readonly storage: Storage,
  ) {
    this.wanted.value = storage.getItem(KEY) === "on" && this.permission === "granted";
  }

  /** Whether the user wants notifications and the browser lets us. */
  get notifies(): ReadonlySignal<boolean> {
    return this.wanted;
  }

  get permission(): NotificationPermission {
    return "Notification" in globalThis ? Notification.permission : "denied";
  }

  start(): void {
    this.room.onArrival((envelope) => this.hear(envelope));
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.hidden.value = 0;
    });
    effect(() => {
      const count = this.hidden.value;
      const title = this.language.current.value.words["page.title"];
      document.title = count > 0 ? `(${count}) ${title}` : title;
    });
  }

  /** Switches notifications; the browser asks the user only then. */
  async notify(on: boolean): Promise<void> {
    if (on && this.permission === "default") await Notification.requestPermission();
    this.wanted.value = on && this.permission === "granted";
    this.storage.setItem(KEY, this.wanted.peek() ? "on" : "off");
  }

  private hear(envelope: Envelope): void {
    const state = this.room.state.peek();
    if (envelope.seq === null || state === null) return;
    const ending = endingIn(envelope, state, this.language.current.peek());
    if (ending === null) return;
    if (document.visibilityState === "hidden") this.remember(ending);
    else if (ending.bad) this.announcer.assertive(ending.text);
    else this.announcer.polite(ending.text);
  }

  private remember(ending: Ending): void {
    this.hidden.value += 1;
    if (!this.wanted.peek() || this.hidden.peek() > MOST_NOTIFICATIONS) return;
    const title = this.language.current.peek().words["page.title"];
    try {
      const note = new Notification(title, { body: ending.text, tag: ending.turnId });
      note.onclick = () => {
        window.focus();
        note.close();
      };
    } catch {
      // Some browsers allow notifications only to installed pages: the title still tells.
    }
  }
}

const KEY = "groupx.notify";
