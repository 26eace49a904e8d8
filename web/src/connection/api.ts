/**
 * The host's REST door: typed calls, one kind of refusal. It owns no state and refuses to know what
 * the page does with an answer.
 */

import type {
  Accepted,
  Bootstrap,
  CancelAnswer,
  ErrorBody,
  Health,
  HistoryPage,
} from "../generated/protocol";

/** Why a call did not succeed: the host's own words, or nothing when it could not be reached. */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(
    /** A code of the protocol's list; null when no host answered. */
    readonly code: string | null,
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** A command's id: makes a repeated call the same call. */
export function newCommandId(): string {
  return `web-${crypto.randomUUID()}`;
}

function isErrorBody(value: unknown): value is ErrorBody {
  if (typeof value !== "object" || value === null || !("error" in value)) return false;
  const { error } = value;
  return typeof error === "object" && error !== null && "code" in error && "message" in error;
}

async function call<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, cache: "no-store" });
  } catch {
    throw new Refused(null, "", 0);
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as T;
  if (isErrorBody(body)) throw new Refused(body.error.code, body.error.message, response.status);
  throw new Refused(null, `HTTP ${response.status}`, response.status);
}

function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  return call<T>(path, signal ? { signal } : {});
}

function write<T>(path: string, body: object): Promise<T> {
  return call<T>(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

interface NewMessage {
  readonly clientCommandId: string;
  readonly to: readonly string[];
  readonly content: string;
  readonly replyToEventId: string | null;
}

/** The routes that the page calls; each rejects with `Refused`. */
export const api = {
  bootstrap: (signal?: AbortSignal) => read<Bootstrap>("/api/bootstrap", signal),
  health: () => read<Health>("/api/health"),
  /** Events below `beforeSeq`, ascending, at most `limit` (1..500) of them. */
  history: (beforeSeq: number, limit: number) =>
    read<HistoryPage>(`/api/history?beforeSeq=${beforeSeq}&limit=${limit}`),
  send: (message: NewMessage) => write<Accepted>("/api/messages", message),
  cancel: (turnId: string) =>
    write<CancelAnswer>(`/api/turns/${encodeURIComponent(turnId)}/cancel`, {
      clientCommandId: newCommandId(),
    }),
  restart: (actorId: string) =>
    write<unknown>(`/api/agents/${encodeURIComponent(actorId)}/restart`, { clientCommandId: newCommandId() }),
};
