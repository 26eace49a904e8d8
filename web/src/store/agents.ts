/**
 * What the fold knows of each agent: its session as the newest event tells it. It refuses to know
 * how a session is run.
 */

import type { AgentHealth, BootstrapAgent } from "../generated/protocol";
import type { Fact } from "./facts";
import { sessionOf, type Agent, type RoomState, type Session } from "./state";

type SessionFact = Extract<Fact, { is: "session" }>;

/** An agent as a snapshot shows it, which is newer than every event up to `throughSeq`. */
export function agentFrom(seen: BootstrapAgent, throughSeq: number, before: Agent | undefined): Agent {
  const session = sessionOf(seen.status, seen.lastError ?? null);
  // A snapshot may have only a word for a failure; keep the reason that its event gave.
  const bare = session.is === "failed" && session.message === null;
  const reasoned = bare && before?.session.is === "failed" ? before.session : session;
  return {
    actorId: seen.actorId,
    displayName: seen.displayName,
    driver: seen.driver,
    driverInfo: seen.driverInfo,
    cwd: seen.cwd,
    access: seen.capabilities.access,
    tools: seen.tools,
    session: reasoned,
    sessionSeq: throughSeq,
    usage: before?.usage ?? null,
    usageSeq: before?.usageSeq ?? 0,
  };
}

function sessionAfter(fact: SessionFact): Session {
  switch (fact.phase) {
    case "starting":
      return { is: "starting", attempt: fact.attempt, maxAttempts: fact.maxAttempts };
    case "retrying":
      return { is: "retrying", attempt: fact.attempt, maxAttempts: fact.maxAttempts };
    case "ready":
    case "resumed":
      return { is: "ready" };
    case "failed":
      return { is: "failed", code: fact.code, message: fact.message };
    case "stopped":
      return { is: "stopped" };
  }
}

/** The agent after an event about its session; older news than what is known changes nothing. */
export function folded(agent: Agent, fact: SessionFact, seq: number | null): Agent {
  if (seq !== null && seq <= agent.sessionSeq) return agent;
  // A new session has to attach its tools anew.
  const tools = fact.phase === "starting" || fact.phase === "stopped" ? "pending" : agent.tools;
  return { ...agent, session: sessionAfter(fact), tools, sessionSeq: seq ?? agent.sessionSeq };
}

/** The room with the agents' tools as they are now; itself when nothing has changed. */
export function withTools(state: RoomState, seen: readonly AgentHealth[]): RoomState {
  const agents = new Map(state.agents);
  let changed = false;
  for (const { adapterId, tools } of seen) {
    const agent = agents.get(`agent:${adapterId}`);
    if (agent === undefined || agent.tools === tools) continue;
    agents.set(agent.actorId, { ...agent, tools });
    changed = true;
  }
  return changed ? { ...state, agents } : state;
}
