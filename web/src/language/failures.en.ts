/** Why Turns and sessions fail and what to do about it, in English. */

import type { FailureCode, FailureWords } from "./failures";

export const failuresEn: Readonly<Record<FailureCode, FailureWords>> = {
  NATIVE_TURN_FAILED: {
    what: "The agent's CLI ended the turn with an error.",
    todo: "Read its reason, then write again.",
  },
  UNEXPECTED_NATIVE_INTERACTION: {
    what: "The agent's CLI asked a question that nobody may answer here.",
    todo: "Say in your message what it should decide, and write again.",
  },
  TURN_FIRST_EVENT_TIMEOUT: {
    what: "The agent's CLI took the prompt and said nothing.",
    todo: "Check that it works in a terminal, then write again.",
  },
  TURN_IDLE_TIMEOUT: {
    what: "The agent's CLI fell silent in the middle of the turn.",
    todo: "Write again; ask for smaller steps if it happens often.",
  },
  TURN_CANCEL_TIMEOUT: {
    what: "The agent's CLI did not stop when asked and was ended.",
    todo: "It starts again by itself.",
  },
  TURN_INTERRUPTED: {
    what: "The agent's CLI ended before the turn did.",
    todo: "The prompt is not sent again by itself: write again if you still want it.",
  },
  PROTOCOL_INVALID_MESSAGE: {
    what: "The agent's CLI said something that could not be read.",
    todo: "It was started again; write again.",
  },
  PROTOCOL_HANDSHAKE_TIMEOUT: {
    what: "The agent's CLI did not become ready in time.",
    todo: "Start it in a terminal once; then restart the agent.",
  },
  ADAPTER_NOT_FOUND: {
    what: "No driver of this name is loaded.",
    todo: "Check the agent's driver in groupx.json.",
  },
  ADAPTER_START_FAILED: {
    what: "The agent's CLI could not be started.",
    todo: "Run groupx doctor; then restart the agent.",
  },
  SESSION_NOT_AVAILABLE: { what: "The agent has no running session.", todo: "Restart the agent." },
  NATIVE_RESUME_UNSUPPORTED: {
    what: "The earlier session could not be resumed.",
    todo: "A new one is started.",
  },
  NATIVE_POLICY_BLOCKED: {
    what: "A policy of the CLI forbids to run it without questions.",
    todo: "Ask whoever manages the policy.",
  },
  MCP_UNAVAILABLE: {
    what: "The room's tools are not available to this agent.",
    todo: "It can still answer.",
  },
  CONTEXT_BUDGET_EXCEEDED: {
    what: "The room's history did not fit into the agent's context.",
    todo: "Write a shorter message.",
  },
  TRANSPORT_MODE_MISMATCH: {
    what: "The turn was stored by another version and cannot run here.",
    todo: "Write again.",
  },
  STORE_UNAVAILABLE: {
    what: "The room's database could not be written.",
    todo: "Check the disk; then write again.",
  },
  INTERNAL_ERROR: { what: "GroupX failed.", todo: "Write again; if it happens again, report it." },
};
