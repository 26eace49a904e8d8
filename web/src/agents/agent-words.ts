/** An agent's state in one word or two, as the list shows it. */

import { elapsed } from "../language/format";
import type { Language } from "../language/language";
import { activeTurnOf, openTurnsOf } from "../store/look-up";
import type { Agent, RoomState, Session } from "../store/state";

/** How urgent a state is for the eye. */
type Tone = "calm" | "busy" | "waiting" | "bad";

function reasonOf(language: Language, session: Extract<Session, { is: "failed" }>): string {
  const known = session.code === null ? null : language.failure(session.code);
  return session.message ?? known?.what ?? session.code ?? "";
}

/** A session's state, with the reason of a failure. */
export function sessionWords(language: Language, session: Session): string {
  const { words } = language;
  switch (session.is) {
    case "starting": {
      const again = session.maxAttempts !== null && session.attempt > 1;
      return again
        ? words["agent.startingTry"](session.attempt, session.maxAttempts ?? 0)
        : words["agent.starting"];
    }
    case "retrying":
      return words["agent.restarting"](session.attempt, session.maxAttempts);
    case "ready":
      return words["agent.ready"];
    case "failed": {
      const why = reasonOf(language, session);
      return why === "" ? words["agent.failed"] : words["agent.failedWith"](why);
    }
    case "blocked":
      return words["agent.blocked"];
    case "stopped":
      return words["agent.stopped"];
  }
}

/** How an agent's state is coloured; a ready agent that works is busy. */
export function toneOf(session: Session, working: boolean): Tone {
  switch (session.is) {
    case "ready":
      return working ? "busy" : "calm";
    case "starting":
    case "retrying":
      return "waiting";
    default:
      return "bad";
  }
}

/** What an agent does now; `now` is epoch milliseconds. */
export function agentWords(language: Language, state: RoomState, agent: Agent, now: number): string {
  const turn = activeTurnOf(state, agent.actorId);
  if (agent.session.is !== "ready" || turn === null) return sessionWords(language, agent.session);
  const since = turn.startedAt ?? turn.queuedAt;
  return language.words["agent.working"](since === null ? "" : elapsed(now - Date.parse(since)));
}

/** How many Turns wait for an agent. */
export function queueLength(state: RoomState, agent: Agent): number {
  return openTurnsOf(state, agent.actorId).filter((turn) => turn.phase === "queued").length;
}
