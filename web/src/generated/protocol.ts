// Written by the host from its own types; see host/src/protocol/typescript.rs.

export type EventId = string;

export type TurnId = string;

export type CorrelationId = string;

export type ActorId = string;

export type AgentId = string;

export type InstanceId = string;

export type Seq = number;

export type Timestamp = string;

export type ActorKind = "user" | "agent" | "system";

export type ActorRef = { 
/**
 * The stable identity.
 */
actorId: ActorId, 
/**
 * What kind of actor it is.
 */
kind: ActorKind, 
/**
 * The running instance, for agents.
 */
instanceId?: InstanceId, 
/**
 * The name to show.
 */
displayName: string, };

export type Durability = "durable" | "transient";

export type EventType = string;

export type SourceKind = "web" | "adapter" | "mcp" | "system" | "generated_summary" | "supervision" | "operator";

export type Provenance = { 
/**
 * The door.
 */
sourceKind: SourceKind, 
/**
 * The author, where the actor of the event is not.
 */
authorActorId?: ActorId, 
/**
 * Whom it is about.
 */
subjectActorId?: ActorId, 
/**
 * The event it was made from.
 */
sourceEventId?: EventId, 
/**
 * Free labels.
 */
labels?: Array<string>, };

export type Envelope = { 
/**
 * Always `groupx.event/0.1`.
 */
schema: string, 
/**
 * Unique for ever.
 */
eventId: EventId, 
/**
 * The commit position; null for transient events.
 */
seq: Seq | null, 
/**
 * Always `room:main`.
 */
roomId: string, 
/**
 * What happened.
 */
type: EventType, 
/**
 * Who did it.
 */
actor: ActorRef, 
/**
 * The agents that this event wakes.
 */
to: Array<ActorId>, 
/**
 * What it visibly answers.
 */
replyToEventId?: EventId, 
/**
 * What it passes on; the author is read from the original.
 */
forwardedEventId?: EventId, 
/**
 * The event or Turn that caused it.
 */
causationId?: string, 
/**
 * Its chain.
 */
correlationId: CorrelationId, 
/**
 * The root of its chain.
 */
rootCorrelationId: CorrelationId, 
/**
 * The Turn whose tool call made it.
 */
parentTurnId?: TurnId, 
/**
 * How many agents stand between it and the user.
 */
hopCount?: number, 
/**
 * How often its target was called within the root.
 */
actorCallCountWithinRoot?: number, 
/**
 * The caller's command id; never a binding.
 */
idempotencyKey?: string, 
/**
 * When.
 */
occurredAt: Timestamp, 
/**
 * Stored or live only.
 */
durability: Durability, 
/**
 * What the type says stands here.
 */
body: Record<string, unknown>, 
/**
 * Where it came from.
 */
provenance?: Provenance, };

export type TurnStatus = "queued" | "dispatching" | "running" | "cancelling" | "completed" | "failed" | "cancelled" | "interrupted";

export type Transport = "direct" | "structured";

export type TurnUsage = { 
/**
 * Tokens read.
 */
inputTokens?: number, 
/**
 * Of these, read from a cache.
 */
cachedInputTokens?: number, 
/**
 * Tokens written.
 */
outputTokens?: number, 
/**
 * Of these, for reasoning.
 */
reasoningTokens?: number, 
/**
 * US dollars.
 */
costUsd?: number, 
/**
 * Tokens of the model's window in use.
 */
contextUsed?: number, 
/**
 * The model's window in tokens.
 */
contextWindow?: number, };

export type ErrorCode = "INVALID_ENVELOPE" | "UNKNOWN_ACTOR" | "UNKNOWN_TARGET" | "SENDER_FIELD_FORBIDDEN" | "CLIENT_COMMAND_CONFLICT" | "DUPLICATE_DISPATCH" | "CAUSAL_CYCLE" | "ROOT_TURN_LIMIT_REACHED" | "HOP_LIMIT_REACHED" | "QUEUE_CAPACITY_REACHED" | "MESSAGE_TOO_LARGE" | "ASK_TIMEOUT" | "STEER_LIMIT_REACHED" | "SUPERVISION_WATCH_REQUIRED" | "SUPERVISION_STEER_REQUIRED" | "SUPERVISION_PAIR_INVALID" | "TRANSPORT_MODE_MISMATCH" | "UNEXPECTED_NATIVE_INTERACTION" | "NATIVE_POLICY_BLOCKED" | "MCP_BINDING_MISMATCH" | "MCP_UNAVAILABLE" | "ADAPTER_NOT_FOUND" | "ADAPTER_START_FAILED" | "PROTOCOL_HANDSHAKE_TIMEOUT" | "PROTOCOL_INVALID_MESSAGE" | "SESSION_NOT_AVAILABLE" | "NATIVE_RESUME_UNSUPPORTED" | "TURN_FIRST_EVENT_TIMEOUT" | "TURN_IDLE_TIMEOUT" | "TURN_CANCEL_TIMEOUT" | "TURN_INTERRUPTED" | "NATIVE_TURN_FAILED" | "STORE_UNAVAILABLE" | "STORE_CONFLICT" | "CONTEXT_BUDGET_EXCEEDED" | "INTERNAL_ERROR";

export type ErrorDetail = { code: ErrorCode, message: string, details?: Record<string, unknown>, };

export type ErrorBody = { error: ErrorDetail, };

export type AcceptedTurn = { 
/**
 * Whose Turn.
 */
target: ActorId, 
/**
 * Its id.
 */
turnId: TurnId, 
/**
 * Always `queued`: accepted is not dispatched.
 */
status: TurnStatus, 
/**
 * The room's transport.
 */
transport: Transport, };

export type Accepted = { 
/**
 * The stored message.
 */
messageEventId: EventId, 
/**
 * Its chain.
 */
correlationId: CorrelationId, 
/**
 * One per target, in the order of `to`.
 */
turns: Array<AcceptedTurn>, };

export type CancelAnswer = { 
/**
 * The Turn.
 */
turnId: TurnId, 
/**
 * False when the Turn was over already.
 */
accepted: boolean, 
/**
 * Where it stands now.
 */
status: TurnStatus, };

export type AgentStatus = "starting" | "ready" | "degraded" | "failed" | "stopped" | "native_policy_blocked";

export type ToolsState = "pending" | "attached" | "missing";

export type AgentCapabilities = { 
/**
 * Always `structured`.
 */
transport: Transport, 
/**
 * Always `active`.
 */
transportLifecycle: string, 
/**
 * Always `unrestricted`.
 */
access: string, 
/**
 * True while GroupX's tools are attached (Ours 21).
 */
currentTurnMcp: boolean, };

export type DriverSummary = { 
/**
 * Its version, once it is loaded.
 */
version?: string, 
/**
 * The native protocol it speaks.
 */
protocol?: string, 
/**
 * What unrestricted becomes for this CLI.
 */
unrestricted?: string, };

export type BootstrapAgent = { 
/**
 * Its actor.
 */
actorId: ActorId, 
/**
 * Its name.
 */
displayName: string, 
/**
 * How its session stands.
 */
status: AgentStatus, 
/**
 * The running instance.
 */
instanceId?: InstanceId, 
/**
 * Its folder.
 */
cwd: string, 
/**
 * Always true: disabled agents are absent.
 */
enabled: boolean, 
/**
 * What the room fixes.
 */
capabilities: AgentCapabilities, 
/**
 * Whether GroupX's tools are there.
 */
tools: ToolsState, 
/**
 * Its driver's id.
 */
driver: string, 
/**
 * What is known of its driver by now.
 */
driverInfo: DriverSummary, 
/**
 * Why it does not work, in words.
 */
lastError?: string, };

export type ActiveTurn = { 
/**
 * The Turn.
 */
turnId: TurnId, 
/**
 * Its agent.
 */
targetActorId: ActorId, 
/**
 * Where it stands.
 */
status: TurnStatus, 
/**
 * The message behind it.
 */
sourceEventId: EventId, };

export type RoomHead = { 
/**
 * Always `room:main`.
 */
roomId: string, 
/**
 * Everything up to here is in the projection.
 */
throughSeq: Seq, };

export type PreviousPage = { 
/**
 * Ask for events before this one.
 */
beforeSeq: Seq, };

export type HistoryPage = { 
/**
 * The events.
 */
events: Array<Envelope>, 
/**
 * Present when there are older ones.
 */
previousPage?: PreviousPage, };

export type Bootstrap = { 
/**
 * Always `groupx.bootstrap/0.1`.
 */
schema: string, 
/**
 * The room and its cursor.
 */
room: RoomHead, 
/**
 * The enabled agents, in the configuration's order.
 */
agents: Array<BootstrapAgent>, 
/**
 * The newest durable events, ascending.
 */
recentEvents: Array<Envelope>, 
/**
 * The configured language of the page, `en` or `zh`; the browser decides where it is absent.
 */
uiLanguage?: string, 
/**
 * Every Turn that is not over.
 */
activeTurns: Array<ActiveTurn>, 
/**
 * Present when older events exist.
 */
previousPage?: PreviousPage, };

export type Readiness = "starting" | "ready" | "closing" | "failed";

export type AgentHealth = { 
/**
 * The agent's key.
 */
adapterId: AgentId, 
/**
 * How its session stands.
 */
status: AgentStatus, 
/**
 * The running instance.
 */
instanceId?: InstanceId, 
/**
 * Whether a native session is there.
 */
nativeSessionAvailable: boolean, 
/**
 * Whether GroupX's tools are there.
 */
tools: ToolsState, 
/**
 * Why it does not work, in words.
 */
lastError?: string, 
/**
 * When this changed.
 */
updatedAt: Timestamp, };

export type StoreHealth = { 
/**
 * Whether the last write went through.
 */
available: boolean, 
/**
 * The result of the last check, not a new one (Ours 7).
 */
integrityOk: boolean, 
/**
 * Our own schema number.
 */
schemaVersion: number, 
/**
 * Always `wal`.
 */
journalMode: string, };

export type Health = { 
/**
 * `ok` or `degraded`.
 */
status: string, 
/**
 * How far the runtime is.
 */
readiness: Readiness, 
/**
 * Always `structured`.
 */
transport: Transport, 
/**
 * Always `active`.
 */
transportLifecycle: string, 
/**
 * Always `unrestricted`.
 */
access: string, 
/**
 * The store.
 */
store: StoreHealth, 
/**
 * The enabled agents.
 */
agents: Array<AgentHealth>, 
/**
 * Turns that an agent works on.
 */
activeTurns: number, 
/**
 * Turns that wait.
 */
queuedTurns: number, 
/**
 * Always `groupx`.
 */
service: string, 
/**
 * Always `groupx.runtime/1`.
 */
protocol: string, 
/**
 * SHA-256 of the canonical configuration and its path.
 */
runtimeKey: string, 
/**
 * SHA-256 of the path alone.
 */
runtimeScopeKey: string, };
