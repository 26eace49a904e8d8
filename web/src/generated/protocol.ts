/** What the host says on its doors. One shape for each thing that crosses the wire. */

export type ActorKind = "user" | "agent" | "system";

export interface ActorRef {
  actorId: string;
  kind: ActorKind;
  displayName: string;
  instanceId?: string;
}

export type Durability = "durable" | "transient";

export interface Envelope {
  schema: string;
  eventId: string;
  /** Null for a transient event. */
  seq: number | null;
  roomId: string;
  type: string;
  actor: ActorRef;
  to: string[];
  replyToEventId?: string;
  forwardedEventId?: string;
  causationId?: string;
  correlationId: string;
  rootCorrelationId: string;
  parentTurnId?: string;
  hopCount?: number;
  actorCallCountWithinRoot?: number;
  idempotencyKey?: string;
  /** ISO 8601, UTC, milliseconds. */
  occurredAt: string;
  durability: Durability;
  body: unknown;
  provenance?: unknown;
}

export type AgentStatus = "starting" | "ready" | "degraded" | "failed" | "stopped" | "native_policy_blocked";

export type ToolsAttachment = "pending" | "attached" | "missing";

export interface BootstrapAgent {
  actorId: string;
  displayName: string;
  status: AgentStatus;
  instanceId?: string;
  cwd: string;
  enabled: boolean;
  capabilities: {
    transport: string;
    transportLifecycle: string;
    access: string;
    currentTurnMcp: boolean;
  };
  tools: ToolsAttachment;
  driver: string;
}

export type TurnStatus =
  | "queued"
  | "dispatching"
  | "running"
  | "cancelling"
  | "completed"
  | "failed"
  | "cancelled"
  | "interrupted";

export interface ActiveTurn {
  turnId: string;
  targetActorId: string;
  status: TurnStatus;
  sourceEventId: string;
}

export interface Bootstrap {
  schema: string;
  room: { roomId: string; throughSeq: number };
  agents: BootstrapAgent[];
  recentEvents: Envelope[];
  activeTurns: ActiveTurn[];
  previousPage?: { beforeSeq: number };
}

export interface History {
  events: Envelope[];
  previousPage?: { beforeSeq: number };
}

export interface Health {
  status: "ok" | "degraded" | "closing";
  readiness: "starting" | "ready" | "closing" | "failed";
  agents: {
    adapterId: string;
    status: AgentStatus;
    instanceId?: string;
    nativeSessionAvailable: boolean;
    lastError?: string;
    updatedAt: string;
  }[];
  activeTurns: number;
  queuedTurns: number;
  service: string;
  protocol: string;
  runtimeKey: string;
  runtimeScopeKey: string;
}

export interface Accepted {
  messageEventId: string;
  correlationId: string;
  turns: { target: string; turnId: string; status: TurnStatus; transport: string }[];
}

export interface Cancelled {
  turnId: string;
  accepted: boolean;
  status: TurnStatus;
}

export interface ErrorBody {
  error: { code: string; message: string; details?: unknown };
}

/** What the CLI counted for one Turn. What it did not say is absent. */
export interface Usage {
  inputTokens?: number;
  cachedInputTokens?: number;
  outputTokens?: number;
  reasoningTokens?: number;
  costUsd?: number;
  contextUsed?: number;
  contextWindow?: number;
}
