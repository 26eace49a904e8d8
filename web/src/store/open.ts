/**
 * How a room's state begins: from a snapshot, folded by the same fold as everything after it.
 */

import type { Bootstrap, Envelope } from "../generated/protocol";
import { agentFrom } from "./agents";
import { applyAll } from "./apply";
import { Draft } from "./draft";
import { rankOf, type Agent, type RoomState } from "./state";
import { Table } from "./table";
import { missed } from "./turns";

function emptyRoom(roomId: string): RoomState {
  return {
    roomId,
    throughSeq: 0,
    olderBefore: null,
    rows: [],
    messages: Table.empty(),
    turns: Table.empty(),
    notices: Table.empty(),
    open: new Set(),
    agents: new Map(),
  };
}

function firstSeq(events: readonly Envelope[]): number | null {
  return events.find((event) => event.seq !== null)?.seq ?? null;
}

/** The state that a snapshot shows. */
export function openRoom(snapshot: Bootstrap): RoomState {
  const { room, agents, recentEvents, previousPage } = snapshot;
  // Every agent stands there before the events, so that they can speak of it.
  const bare = new Map(agents.map((seen): [string, Agent] => [seen.actorId, agentFrom(seen, 0, undefined)]));
  const state = applyAll({ ...emptyRoom(room.roomId), agents: bare }, recentEvents);
  const olderBefore = previousPage?.beforeSeq ?? null;
  return withSnapshot({ ...state, throughSeq: room.throughSeq, olderBefore: olderBefore ?? null }, snapshot);
}

/** Takes over what a snapshot knows that no loaded event says: agents and Turns that are open. */
function withSnapshot(state: RoomState, snapshot: Bootstrap): RoomState {
  const draft = new Draft(state);
  for (const active of snapshot.activeTurns) {
    const change = (turn: Parameters<typeof missed>[0]) =>
      missed({
        ...turn,
        agentId: turn.agentId ?? active.targetActorId,
        sourceEventId: turn.sourceEventId ?? active.sourceEventId,
        phase: rankOf(active.status) > rankOf(turn.phase) ? active.status : turn.phase,
      });
    if (draft.turn(active.turnId) === undefined) draft.changeTurn(active.turnId, 0, change);
    else draft.touchTurn(active.turnId, change);
  }
  return withAgents(draft.finish(), snapshot);
}

/** The agents as a newer snapshot of the same room has them. */
export function withAgents(state: RoomState, snapshot: Bootstrap): RoomState {
  const seq = snapshot.room.throughSeq;
  const agents = snapshot.agents.map((seen): [string, Agent] => [
    seen.actorId,
    agentFrom(seen, seq, state.agents.get(seen.actorId)),
  ]);
  return { ...state, agents: new Map(agents) };
}

/** The state after the page was away for a while: what streams may lack a piece. */
export function withGap(state: RoomState): RoomState {
  const draft = new Draft(state);
  for (const turnId of state.open) draft.touchTurn(turnId, missed);
  return draft.finish();
}

/** Whether going on from `state` is worth more than beginning anew with `snapshot`. */
export function continues(state: RoomState, snapshot: Bootstrap): boolean {
  const first = firstSeq(snapshot.recentEvents);
  const sameRoom = snapshot.room.roomId === state.roomId && snapshot.room.throughSeq >= state.throughSeq;
  // Further back than the snapshot reaches, replaying everything would only cost time.
  return sameRoom && (first === null || first <= state.throughSeq + REPLAY_AT_MOST);
}

const REPLAY_AT_MOST = 5_000;
