/**
 * The codes with which a Turn or a session fails, and whether the page has words for one. What to
 * say about each stands in the catalogues.
 */

const FAILURE_CODES = [
  "NATIVE_TURN_FAILED",
  "UNEXPECTED_NATIVE_INTERACTION",
  "TURN_FIRST_EVENT_TIMEOUT",
  "TURN_IDLE_TIMEOUT",
  "TURN_CANCEL_TIMEOUT",
  "TURN_INTERRUPTED",
  "PROTOCOL_INVALID_MESSAGE",
  "PROTOCOL_HANDSHAKE_TIMEOUT",
  "ADAPTER_NOT_FOUND",
  "ADAPTER_START_FAILED",
  "SESSION_NOT_AVAILABLE",
  "NATIVE_RESUME_UNSUPPORTED",
  "NATIVE_POLICY_BLOCKED",
  "MCP_UNAVAILABLE",
  "CONTEXT_BUDGET_EXCEEDED",
  "TRANSPORT_MODE_MISMATCH",
  "STORE_UNAVAILABLE",
  "INTERNAL_ERROR",
] as const;

export type FailureCode = (typeof FAILURE_CODES)[number];

/** What happened, and what the user can do about it. */
export interface FailureWords {
  readonly what: string;
  readonly todo: string;
}

const KNOWN: ReadonlySet<string> = new Set(FAILURE_CODES);

/** Whether the catalogues have words for a code. */
export function isFailureCode(code: string): code is FailureCode {
  return KNOWN.has(code);
}
