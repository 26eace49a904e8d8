/** Event streams for the fold's tests: recorded ones, and small ones made by hand. */

import { readFileSync } from "node:fs";
import type { Bootstrap, BootstrapAgent, Envelope } from "../../generated/protocol";

/** The events of a recorded stream, in the order in which they arrived. */
export function recorded(name: string): readonly Envelope[] {
  const text = readFileSync(new URL(`./streams/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Envelope);
}

export const durable = (events: readonly Envelope[]): readonly Envelope[] =>
  events.filter((event) => event.seq !== null);

function agentsIn(events: readonly Envelope[]): BootstrapAgent[] {
  const known = new Map<string, BootstrapAgent>();
  for (const { actor } of events) {
    if (actor.kind === "agent") known.set(actor.actorId, seenAgent(actor.actorId, actor.displayName));
  }
  return [...known.values()].sort((a, b) => (a.actorId < b.actorId ? -1 : 1));
}

export function seenAgent(actorId: string, displayName: string): BootstrapAgent {
  return {
    actorId,
    displayName,
    status: "ready",
    cwd: "/work",
    enabled: true,
    capabilities: {
      transport: "structured",
      transportLifecycle: "active",
      access: "unrestricted",
      currentTurnMcp: true,
    },
    tools: "attached",
    driver: "demo",
    driverInfo: {},
  };
}

/** The snapshot that a host takes after event `through` of a stream, with its newest `limit` events. */
export function snapshotAt(events: readonly Envelope[], through: number, limit: number): Bootstrap {
  const past = durable(events).filter((event) => (event.seq ?? 0) <= through);
  const recentEvents = past.slice(Math.max(0, past.length - limit));
  const first = recentEvents[0]?.seq ?? through + 1;
  const open = new Map<string, Bootstrap["activeTurns"][number]>();
  for (const { type, body } of past) {
    const turnId = String(body["turnId"]);
    if (type === "turn.queued") {
      open.set(turnId, {
        turnId,
        targetActorId: String(body["targetActorId"]),
        status: "queued",
        sourceEventId: String(body["sourceEventId"]),
      });
    }
    const active = open.get(turnId);
    if (active !== undefined && type === "turn.dispatched") active.status = "dispatching";
    if (active !== undefined && type === "turn.started") active.status = "running";
    if (/^turn\.(completed|failed|cancelled|interrupted)$/u.test(type)) open.delete(turnId);
  }
  return {
    schema: "groupx.bootstrap/0.1",
    room: { roomId: "room:main", throughSeq: through },
    agents: agentsIn(events),
    recentEvents: [...recentEvents],
    activeTurns: [...open.values()],
    ...(past.length > recentEvents.length ? { previousPage: { beforeSeq: first } } : {}),
  };
}

let made = 0;

/** One event, durable when it has a seq. */
export function event(
  seq: number | null,
  type: string,
  body: Record<string, unknown>,
  more: Partial<Envelope> = {},
): Envelope {
  made += 1;
  return {
    schema: "groupx.event/0.1",
    eventId: `evt_${made}`,
    seq,
    roomId: "room:main",
    type,
    actor: { actorId: "agent:ada", kind: "agent", displayName: "Ada" },
    to: [],
    correlationId: "corr_1",
    rootCorrelationId: "corr_1",
    occurredAt: new Date(1_800_000_000_000 + made * 1000).toISOString(),
    durability: seq === null ? "transient" : "durable",
    body,
    ...more,
  };
}
