/**
 * The fold: `apply(state, envelope) -> state`, one for bootstrap, history and live events alike. It
 * is idempotent by seq within what is loaded and does not care in which order pages arrive.
 */

import type { Envelope } from "../generated/protocol";
import { folded as foldedSession } from "./agents";
import { Draft } from "./draft";
import { readFact, type Fact } from "./facts";
import type { RoomState } from "./state";
import { advance, type Stamp, type TurnFact } from "./turns";

/** The state after one more event. */
export function apply(state: RoomState, envelope: Envelope): RoomState {
  return applyAll(state, [envelope]);
}

/** The same as `apply` one by one, at the cost of one copy. */
export function applyAll(state: RoomState, envelopes: readonly Envelope[]): RoomState {
  const draft = new Draft(state);
  for (const envelope of envelopes) {
    // What lies below the loaded part comes in through `older`, which widens it first.
    const known = envelope.seq !== null && envelope.seq <= draft.throughSeq;
    if (!known) fold(draft, envelope);
    if (envelope.seq !== null && !known) draft.throughSeq = envelope.seq;
  }
  return draft.finish();
}

/** A page of older events under what is loaded; `olderBefore` is null at the room's beginning. */
export function applyOlder(
  state: RoomState,
  page: readonly Envelope[],
  olderBefore: number | null,
): RoomState {
  const draft = new Draft(state);
  for (const envelope of page) {
    const below = envelope.seq !== null && state.olderBefore !== null && envelope.seq < state.olderBefore;
    if (below) fold(draft, envelope);
  }
  return { ...draft.finish(), olderBefore };
}

function fold(draft: Draft, envelope: Envelope): void {
  const fact = readFact(envelope);
  switch (fact.is) {
    case "reserved":
      return;
    case "said":
      foldMessage(draft, envelope, fact);
      return;
    case "session":
      foldSession(draft, envelope, fact);
      return;
    case "other":
      foldOther(draft, envelope);
      return;
    default:
      foldTurn(draft, envelope, fact);
  }
}

function foldMessage(draft: Draft, envelope: Envelope, fact: Extract<Fact, { is: "said" }>): void {
  const { eventId, seq } = envelope;
  // A brief for an observer is part of a supervision, not something said in the room.
  if (fact.brief) return foldOther(draft, envelope);
  if (seq === null) return;
  draft.messages = draft.messages.with(eventId, {
    eventId,
    seq,
    actor: envelope.actor,
    to: envelope.to,
    content: fact.content,
    at: envelope.occurredAt,
    replyTo: envelope.replyToEventId ?? null,
    forwarded: envelope.forwardedEventId ?? null,
    turnId: fact.turnId,
  });
  if (fact.turnId === null) {
    draft.addRow({ kind: "message", id: eventId, order: seq });
    return;
  }
  const { actor } = envelope;
  draft.changeTurn(fact.turnId, seq, (turn) => ({
    ...turn,
    agentId: turn.agentId ?? actor.actorId,
    agentName: actor.displayName,
    answerId: eventId,
  }));
}

function foldTurn(draft: Draft, envelope: Envelope, fact: TurnFact): void {
  const { actor, seq } = envelope;
  const byAgent = actor.kind === "agent";
  const stamp: Stamp = {
    seq,
    at: envelope.occurredAt,
    agentId: byAgent ? actor.actorId : null,
    agentName: byAgent ? actor.displayName : null,
  };
  if (seq === null) draft.touchTurn(fact.turnId, (turn) => advance(turn, fact, stamp));
  else draft.changeTurn(fact.turnId, seq, (turn) => advance(turn, fact, stamp));
  if (fact.is === "ended" && fact.usage !== null && seq !== null) foldUsage(draft, fact, seq);
}

function foldUsage(draft: Draft, fact: Extract<Fact, { is: "ended" }>, seq: number): void {
  const agentId = draft.turn(fact.turnId)?.agentId;
  const agent = agentId == null ? undefined : draft.agent(agentId);
  if (agent !== undefined && seq > agent.usageSeq)
    draft.setAgent({ ...agent, usage: fact.usage, usageSeq: seq });
}

function foldSession(draft: Draft, envelope: Envelope, fact: Extract<Fact, { is: "session" }>): void {
  const agent = draft.agent(fact.agentId);
  if (agent !== undefined) {
    const after = foldedSession(agent, fact, envelope.seq);
    if (after !== agent) draft.setAgent(after);
  }
  // Coming and going is the agents' list's business; what a user must know stands in the timeline.
  const telling =
    fact.code !== null || fact.phase === "failed" || fact.continuity === "new_session_after_resume_failure";
  if (telling) foldOther(draft, envelope);
}

function foldOther(draft: Draft, envelope: Envelope): void {
  const { eventId, seq } = envelope;
  if (seq === null) return;
  const { type, actor, body, occurredAt: at } = envelope;
  draft.notices = draft.notices.with(eventId, { eventId, seq, type, actor, at, body });
  draft.addRow({ kind: "notice", id: eventId, order: seq });
}
