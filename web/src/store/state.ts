/**
 * What the page knows of the room: the shapes that the fold makes from envelopes. It refuses to
 * know how they are drawn or where they came from.
 */

import type {
  ActorRef,
  AgentStatus,
  DriverSummary,
  ToolsState,
  TurnStatus,
  TurnUsage,
} from "../generated/protocol";
import type { Table } from "./table";

/** The room as the page knows it. */
export interface RoomState {
  readonly roomId: string;
  /** Every durable event up to this seq is in the state. */
  readonly throughSeq: number;
  /** Events below this seq are not loaded; null when the room's beginning is. */
  readonly olderBefore: number | null;
  /** The timeline, ascending by `order`. */
  readonly rows: readonly Row[];
  readonly messages: Table<Message>;
  readonly turns: Table<Turn>;
  readonly notices: Table<Notice>;
  /** Turns that are not over. */
  readonly open: ReadonlySet<string>;
  /** In the order of the configuration. */
  readonly agents: ReadonlyMap<string, Agent>;
}

/** One entry of the timeline; `id` is a turn id or an event id, by kind. */
export interface Row {
  readonly kind: "message" | "turn" | "notice";
  readonly id: string;
  /** The seq at which the row stands; 0 while its own beginning is not loaded. */
  readonly order: number;
}

/** Something that was said. */
export interface Message {
  readonly eventId: string;
  readonly seq: number;
  readonly actor: ActorRef;
  readonly to: readonly string[];
  readonly content: string;
  readonly at: string;
  readonly replyTo: string | null;
  readonly forwarded: string | null;
  /** The Turn that this message answers, when it is an answer. */
  readonly turnId: string | null;
}

/** One Turn, as far as its events are loaded. */
export interface Turn {
  readonly turnId: string;
  readonly order: number;
  readonly phase: TurnStatus;
  /** Null while only the end of an older Turn is loaded. */
  readonly agentId: string | null;
  /** As frozen in the event; null until the agent itself has spoken. */
  readonly agentName: string | null;
  readonly sourceEventId: string | null;
  readonly queuedAt: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly answerId: string | null;
  /** What was streamed of an answer that never came. */
  readonly partial: string | null;
  readonly reasoning: string | null;
  readonly tools: readonly Tool[];
  readonly failure: Failure | null;
  readonly usage: TurnUsage | null;
  /** What streams, while the Turn is open. */
  readonly live: Live | null;
}

/** What a Turn streams. */
export interface Live {
  readonly text: string;
  readonly reasoning: string;
  /** The CLI's own word on what it is doing. */
  readonly progress: string | null;
  /** True when the page was not there from the start: the text lacks its beginning or a middle. */
  readonly gap: boolean;
}

/** The live part of a Turn that has said nothing yet. */
export const NOTHING_LIVE: Live = { text: "", reasoning: "", progress: null, gap: false };

/** Why a Turn did not complete. */
export interface Failure {
  readonly code: string | null;
  /** The host's words: what happened and what to do. */
  readonly message: string | null;
}

/** How a tool call stands. */
export type ToolStatus = "running" | "completed" | "failed" | "cancelled";

/** One tool call of a Turn. */
export interface Tool {
  readonly key: string;
  readonly status: ToolStatus;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** Seq of its first durable record; null while it was only seen live. */
  readonly seq: number | null;
}

/** An event that is neither a message nor part of a Turn. */
export interface Notice {
  readonly eventId: string;
  readonly seq: number;
  readonly type: string;
  readonly actor: ActorRef;
  readonly at: string;
  readonly body: unknown;
}

/** One agent of the room. */
export interface Agent {
  readonly actorId: string;
  readonly displayName: string;
  readonly driver: string;
  readonly driverInfo: DriverSummary;
  readonly cwd: string;
  readonly access: string;
  readonly tools: ToolsState;
  readonly session: Session;
  /** The seq that `session` is as new as: older events do not change it. */
  readonly sessionSeq: number;
  readonly usage: TurnUsage | null;
  readonly usageSeq: number;
}

/** How an agent's CLI is doing. */
export type Session =
  | { readonly is: "starting"; readonly attempt: number; readonly maxAttempts: number | null }
  | { readonly is: "retrying"; readonly attempt: number; readonly maxAttempts: number | null }
  | { readonly is: "ready" }
  | { readonly is: "failed"; readonly code: string | null; readonly message: string | null }
  | { readonly is: "blocked" }
  | { readonly is: "stopped" };

/** The session as a status word of the host tells it, with the host's reason if it has one. */
export function sessionOf(status: AgentStatus, reason: string | null): Session {
  switch (status) {
    case "starting":
      return { is: "starting", attempt: 1, maxAttempts: null };
    case "ready":
      return { is: "ready" };
    case "degraded":
      return { is: "retrying", attempt: 1, maxAttempts: null };
    case "failed":
      return { is: "failed", code: null, message: reason };
    case "native_policy_blocked":
      return { is: "blocked" };
    case "stopped":
      return { is: "stopped" };
  }
}

/** How far a Turn has come. A state never gives way to one of lower rank. */
export function rankOf(phase: TurnStatus): number {
  switch (phase) {
    case "queued":
      return 0;
    case "dispatching":
      return 1;
    case "running":
      return 2;
    case "cancelling":
      return 3;
    default:
      return 4;
  }
}

/** Whether a Turn can still change. */
export function isOver(phase: TurnStatus): boolean {
  return rankOf(phase) === 4;
}
