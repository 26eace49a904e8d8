/**
 * The life of one Turn as pure transitions. Events may arrive newest page first, so each one adds
 * what it knows and none takes back what a later one said.
 */

import type { TurnStatus } from "../generated/protocol";
import type { Fact } from "./facts";
import { isOver, NOTHING_LIVE, rankOf, type Live, type Turn } from "./state";
import { settled, withReport } from "./tools";

/** When and by whom an event was said; `seq` is null for a live one. */
export interface Stamp {
  readonly seq: number | null;
  readonly at: string;
  readonly agentId: string | null;
  readonly agentName: string | null;
}

/** What an event can say of one Turn. */
export type TurnFact = Extract<Fact, { readonly turnId: string; readonly is: Exclude<Fact["is"], "said"> }>;

/** A Turn of which nothing is known but its place. */
export function newTurn(turnId: string, order: number): Turn {
  return {
    turnId,
    order,
    phase: "queued",
    agentId: null,
    agentName: null,
    sourceEventId: null,
    queuedAt: null,
    startedAt: null,
    endedAt: null,
    answerId: null,
    partial: null,
    reasoning: null,
    tools: [],
    failure: null,
    usage: null,
    live: null,
  };
}

function furthest(turn: Turn, phase: TurnStatus): TurnStatus {
  return rankOf(phase) > rankOf(turn.phase) ? phase : turn.phase;
}

function withLive(turn: Turn, change: Partial<Live>): Turn {
  // Late frames of a Turn that is over change nothing.
  if (isOver(turn.phase)) return turn;
  return { ...turn, live: { ...(turn.live ?? NOTHING_LIVE), ...change } };
}

function ended(turn: Turn, fact: Extract<Fact, { is: "ended" }>, stamp: Stamp): Turn {
  if (isOver(turn.phase)) return turn;
  const streamed = turn.live?.text ?? "";
  const thought = turn.live?.reasoning ?? "";
  return {
    ...turn,
    phase: fact.phase,
    endedAt: stamp.at,
    failure: fact.failure,
    usage: fact.usage,
    partial: fact.phase === "completed" ? null : (fact.partial ?? (streamed === "" ? null : streamed)),
    reasoning: turn.reasoning ?? (thought === "" ? null : thought),
    tools: settled(turn.tools),
    live: null,
  };
}

function spoken(turn: Turn, stamp: Stamp): Turn {
  if (stamp.agentId === null || (turn.agentId !== null && turn.agentName !== null)) return turn;
  return { ...turn, agentId: turn.agentId ?? stamp.agentId, agentName: turn.agentName ?? stamp.agentName };
}

/** The Turn after one more fact about it. */
export function advance(before: Turn, fact: TurnFact, stamp: Stamp): Turn {
  const turn = spoken(before, stamp);
  switch (fact.is) {
    case "queued":
      return { ...turn, agentId: fact.agentId, sourceEventId: fact.sourceEventId, queuedAt: stamp.at };
    case "dispatched":
      return { ...turn, agentId: turn.agentId ?? fact.agentId, phase: furthest(turn, "dispatching") };
    case "started": {
      const started: Turn = { ...turn, startedAt: stamp.at, phase: furthest(turn, "running") };
      return isOver(started.phase) ? started : { ...started, live: started.live ?? NOTHING_LIVE };
    }
    case "reasoned":
      return { ...turn, reasoning: fact.content === "" ? null : fact.content };
    case "tool": {
      if (stamp.seq === null && isOver(turn.phase)) return turn;
      const tools = withReport(turn.tools, { ...fact, at: stamp.at, seq: stamp.seq });
      return { ...turn, tools: isOver(turn.phase) ? settled(tools) : tools };
    }
    case "ended":
      return ended(turn, fact, stamp);
    case "delta": {
      const text = fact.reset ? fact.text : (turn.live?.text ?? "") + fact.text;
      return withLive(turn, { text, progress: null });
    }
    case "reasoning-delta":
      return withLive(turn, { reasoning: (turn.live?.reasoning ?? "") + fact.text, progress: null });
    case "progress":
      return withLive(turn, { progress: fact.text === "" ? null : fact.text });
  }
}

/** The Turn after the page missed part of what it streamed. */
export function missed(turn: Turn): Turn {
  if (rankOf(turn.phase) < rankOf("running") || isOver(turn.phase)) return turn;
  return withLive(turn, { gap: true });
}
