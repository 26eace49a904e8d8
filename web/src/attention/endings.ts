/** Hears of Turns that end, as they end, and puts it into words. */

import type { Envelope } from "../generated/protocol";
import type { Language } from "../language/language";
import { readFact } from "../store/facts";
import { turnName } from "../store/look-up";
import type { RoomState } from "../store/state";
import { reasonOf } from "../timeline/turn-end";

/** A Turn's end in words. */
export interface Ending {
  readonly turnId: string;
  readonly text: string;
  readonly bad: boolean;
}

/** What an envelope says about a Turn's end; null when it is about something else. */
export function endingIn(envelope: Envelope, state: RoomState, language: Language): Ending | null {
  const fact = readFact(envelope);
  if (fact.is !== "ended") return null;
  const { words } = language;
  const turn = state.turns.get(fact.turnId);
  const byAgent = envelope.actor.kind === "agent" ? envelope.actor.displayName : null;
  const name =
    byAgent ?? (turn === undefined ? null : turnName(state, turn)) ?? words["timeline.unknownAgent"];
  const said = (text: string, bad: boolean): Ending => ({ turnId: fact.turnId, text, bad });
  switch (fact.phase) {
    case "completed":
      return said(words["announce.finished"](name), false);
    case "failed":
      return said(words["announce.failed"](name, reasonOf(language, fact.failure)), true);
    case "interrupted":
      return said(words["announce.interrupted"](name), true);
    default:
      return said(words["announce.stopped"](name), false);
  }
}
