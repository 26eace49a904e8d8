/**
 * The door of the fold: reads an envelope's open body into a closed fact. It owns which event types
 * the page understands and refuses to trust a body: what does not fit is `other` and is shown as it
 * came.
 */

import type { Envelope, TurnStatus, TurnUsage } from "../generated/protocol";
import type { Failure } from "./state";

type SessionPhase = "starting" | "retrying" | "ready" | "resumed" | "failed" | "stopped";

/** What an event can say that the page understands. */
export type Fact =
  | { readonly is: "said"; readonly content: string; readonly turnId: string | null; readonly brief: boolean }
  | {
      readonly is: "queued";
      readonly turnId: string;
      readonly sourceEventId: string;
      readonly agentId: string;
    }
  | { readonly is: "dispatched"; readonly turnId: string; readonly agentId: string | null }
  | { readonly is: "started"; readonly turnId: string }
  | { readonly is: "reasoned"; readonly turnId: string; readonly content: string }
  | {
      readonly is: "tool";
      readonly turnId: string;
      readonly callId: string | null;
      readonly over: boolean;
      readonly details: Readonly<Record<string, unknown>>;
    }
  | {
      readonly is: "ended";
      readonly turnId: string;
      readonly phase: TurnStatus;
      readonly failure: Failure | null;
      readonly usage: TurnUsage | null;
      readonly partial: string | null;
    }
  | { readonly is: "delta"; readonly turnId: string; readonly text: string; readonly reset: boolean }
  | { readonly is: "reasoning-delta"; readonly turnId: string; readonly text: string }
  | { readonly is: "progress"; readonly turnId: string; readonly text: string }
  | {
      readonly is: "session";
      readonly agentId: string;
      readonly phase: SessionPhase;
      readonly attempt: number;
      readonly maxAttempts: number | null;
      readonly continuity: string | null;
      readonly code: string | null;
      readonly message: string | null;
    }
  | { readonly is: "other" }
  /** A namespace that no event may have: it changes nothing and is never shown. */
  | { readonly is: "reserved" };

type Body = Readonly<Record<string, unknown>>;

const RESERVED = /^(approval|permission|user_input)\./;
const OTHER: Fact = { is: "other" };

/** Whether a value is an object with keys. */
export function isRecord(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text at `key`, or null when there is none. */
export function textAt(body: Body, key: string): string | null {
  const value = body[key];
  return typeof value === "string" ? value : null;
}

function countAt(body: Body, key: string): number | null {
  const value = body[key];
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

function readUsage(value: unknown): TurnUsage | null {
  if (!isRecord(value)) return null;
  const usage: TurnUsage = {};
  const keys = [
    "inputTokens",
    "cachedInputTokens",
    "outputTokens",
    "reasoningTokens",
    "costUsd",
    "contextUsed",
    "contextWindow",
  ] as const;
  for (const key of keys) {
    const count = countAt(value, key);
    if (count !== null) usage[key] = count;
  }
  return Object.keys(usage).length > 0 ? usage : null;
}

function readFailure(body: Body): Failure {
  return { code: textAt(body, "errorCode"), message: textAt(body, "message") };
}

function readEnd(turnId: string, phase: TurnStatus, body: Body): Fact {
  const failure = phase === "completed" ? null : readFailure(body);
  return {
    is: "ended",
    turnId,
    phase,
    failure,
    usage: readUsage(body["usage"]),
    partial: textAt(body, "partialText"),
  };
}

function readSession(phase: SessionPhase, envelope: Envelope, body: Body): Fact {
  return {
    is: "session",
    agentId: textAt(body, "actorId") ?? envelope.actor.actorId,
    phase,
    attempt: countAt(body, "attempt") ?? 1,
    maxAttempts: countAt(body, "maxAttempts"),
    continuity: textAt(body, "continuity"),
    code: textAt(body, "errorCode"),
    message: textAt(body, "message"),
  };
}

function readTurnEvent(type: string, turnId: string, body: Body): Fact {
  switch (type) {
    case "turn.queued": {
      const sourceEventId = textAt(body, "sourceEventId");
      const agentId = textAt(body, "targetActorId");
      return sourceEventId !== null && agentId !== null
        ? { is: "queued", turnId, sourceEventId, agentId }
        : OTHER;
    }
    case "turn.dispatched":
      return { is: "dispatched", turnId, agentId: textAt(body, "targetActorId") };
    case "turn.started":
      return { is: "started", turnId };
    case "turn.reasoning.recorded":
      return { is: "reasoned", turnId, content: textAt(body, "content") ?? "" };
    case "tool.progress":
    case "tool.progress.recorded": {
      const details = body["details"];
      return {
        is: "tool",
        turnId,
        callId: textAt(body, "toolCallId"),
        over: body["nativeType"] === "tool.completed",
        details: isRecord(details) ? details : {},
      };
    }
    case "turn.completed":
      return readEnd(turnId, "completed", body);
    case "turn.failed":
      return readEnd(turnId, "failed", body);
    case "turn.cancelled":
      return readEnd(turnId, "cancelled", body);
    case "turn.interrupted":
      return readEnd(turnId, "interrupted", body);
    case "turn.content.delta":
      return { is: "delta", turnId, text: textAt(body, "text") ?? "", reset: body["reset"] === true };
    case "turn.reasoning.delta":
      return { is: "reasoning-delta", turnId, text: textAt(body, "text") ?? "" };
    case "turn.progress":
      return { is: "progress", turnId, text: textAt(body, "text") ?? "" };
    default:
      return OTHER;
  }
}

/** What an envelope says, as far as the page understands it. */
export function readFact(envelope: Envelope): Fact {
  const { type } = envelope;
  if (RESERVED.test(type)) return { is: "reserved" };
  if (!isRecord(envelope.body)) return OTHER;
  const body = envelope.body;
  if (type === "message.created") {
    const content = textAt(body, "content");
    if (content === null) return OTHER;
    return {
      is: "said",
      content,
      turnId: textAt(body, "turnId"),
      brief: body["kind"] === "supervision.watch",
    };
  }
  if (type.startsWith("session.")) {
    const phase = type.slice("session.".length);
    switch (phase) {
      case "starting":
      case "retrying":
      case "ready":
      case "resumed":
      case "failed":
      case "stopped":
        return readSession(phase, envelope, body);
      default:
        return OTHER;
    }
  }
  if (type.startsWith("turn.") || type.startsWith("tool.")) {
    const turnId = textAt(body, "turnId");
    return turnId === null ? OTHER : readTurnEvent(type, turnId, body);
  }
  return OTHER;
}
