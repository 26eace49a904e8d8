/** Questions that the page asks of the state: names, queues, who works on what. */

import type { Message, RoomState, Row, Turn } from "./state";

/** The name to show for an actor; the id's own last part when nobody has introduced it. */
export function nameOf(state: RoomState, actorId: string): string {
  return state.agents.get(actorId)?.displayName ?? actorId.slice(actorId.indexOf(":") + 1);
}

/** A Turn's agent as it was called then. */
export function turnName(state: RoomState, turn: Turn): string | null {
  if (turn.agentName !== null) return turn.agentName;
  return turn.agentId === null ? null : nameOf(state, turn.agentId);
}

/** Open Turns of one agent, oldest first. */
export function openTurnsOf(state: RoomState, actorId: string): readonly Turn[] {
  const turns: Turn[] = [];
  for (const turnId of state.open) {
    const turn = state.turns.get(turnId);
    if (turn?.agentId === actorId) turns.push(turn);
  }
  return turns.sort((a, b) => a.order - b.order);
}

/** The Turn an agent works on, if any. */
export function activeTurnOf(state: RoomState, actorId: string): Turn | null {
  return openTurnsOf(state, actorId).find((turn) => turn.phase !== "queued") ?? null;
}

/** Which place a queued Turn has in its agent's line, from 1. */
export function placeInLine(state: RoomState, turn: Turn): number {
  if (turn.agentId === null) return 1;
  const waiting = openTurnsOf(state, turn.agentId).filter((other) => other.phase === "queued");
  return Math.max(1, waiting.findIndex((other) => other.turnId === turn.turnId) + 1);
}

/** Where a row stands in the timeline; -1 when it is not loaded. */
export function indexOfRow(rows: readonly Row[], id: string, order: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.order ?? 0) < order) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < rows.length && rows[at]?.order === order; at += 1)
    if (rows[at]?.id === id) return at;
  return -1;
}

/** The row that shows an event: its own, or the Turn's that it answers. */
export function rowIdOfMessage(message: Message): string {
  return message.turnId ?? message.eventId;
}

/** When what a row shows began. */
export function timeOfRow(state: RoomState, row: Row): string | null {
  switch (row.kind) {
    case "message":
      return state.messages.get(row.id)?.at ?? null;
    case "notice":
      return state.notices.get(row.id)?.at ?? null;
    case "turn": {
      const turn = state.turns.get(row.id);
      return turn?.queuedAt ?? turn?.startedAt ?? turn?.endedAt ?? null;
    }
  }
}
