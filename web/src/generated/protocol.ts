/** What the host says on its doors. One shape for each thing that crosses the wire. */

export type ActorKind = "user" | "agent" | "system";

export interface ActorRef {
  actorId: string;
  kind: ActorKind;
  instanceId?: string;
  displayName: string;
}

export type Durability = "durable" | "transient";

export interface Provenance {
  sourceKind: "web" | "adapter" | "mcp" | "system" | "generated_summary" | "supervision" | "operator";
  authorActorId?: string;
  subjectActorId?: string;
  sourceEventId?: string;
  labels?: string[];
}

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
  body: Record<string, unknown>;
  provenance?: Provenance;
}

export type AgentStatus = "starting" | "ready" | "degraded" | "failed" | "stopped" | "native_policy_blocked";

export type ToolsState = "pending" | "attached" | "missing";

export interface AgentCapabilities {
  transport: string;
  transportLifecycle: string;
  access: string;
  currentTurnMcp: boolean;
}

export interface DriverSummary {
  id: string;
  version?: string;
  protocol?: string;
  /** What unrestricted becomes for this CLI. */
  unrestricted?: string;
}

export interface BootstrapAgent {
  actorId: string;
  displayName: string;
  status: AgentStatus;
  instanceId?: string;
  cwd: string;
  enabled: boolean;
  capabilities: AgentCapabilities;
  tools: ToolsState;
  driver: DriverSummary;
  /** Why it does not work, in words. */
  lastError?: string;
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

export interface RoomHead {
  roomId: string;
  throughSeq: number;
}

export interface PreviousPage {
  beforeSeq: number;
}

export interface Bootstrap {
  schema: string;
  room: RoomHead;
  agents: BootstrapAgent[];
  recentEvents: Envelope[];
  activeTurns: ActiveTurn[];
  previousPage?: PreviousPage;
}

export interface HistoryPage {
  events: Envelope[];
  previousPage?: PreviousPage;
}

export type Readiness = "starting" | "ready" | "closing" | "failed";

export interface AgentHealth {
  adapterId: string;
  status: AgentStatus;
  instanceId?: string;
  nativeSessionAvailable: boolean;
  tools: ToolsState;
  lastError?: string;
  updatedAt: string;
}

export interface StoreHealth {
  available: boolean;
  integrityOk: boolean;
  schemaVersion: number;
  journalMode: string;
}

export interface Health {
  status: string;
  readiness: Readiness;
  transport: string;
  transportLifecycle: string;
  access: string;
  store: StoreHealth;
  agents: AgentHealth[];
  activeTurns: number;
  queuedTurns: number;
  service: string;
  protocol: string;
  runtimeKey: string;
  runtimeScopeKey: string;
}

export interface AcceptedTurn {
  target: string;
  turnId: string;
  status: TurnStatus;
  transport: string;
}

export interface Accepted {
  messageEventId: string;
  correlationId: string;
  turns: AcceptedTurn[];
}

export interface CancelAnswer {
  turnId: string;
  accepted: boolean;
  status: TurnStatus;
}

export interface ErrorBody {
  error: { code: string; message: string; details?: unknown };
}

/** What the CLI counted for one Turn. What it did not say is absent. */
export interface TurnUsage {
  inputTokens?: number;
  cachedInputTokens?: number;
  outputTokens?: number;
  reasoningTokens?: number;
  costUsd?: number;
  contextUsed?: number;
  contextWindow?: number;
}
