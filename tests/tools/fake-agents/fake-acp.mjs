#!/usr/bin/env node
// Fake ACP v1 agent: `kimi acp`, `grok ... agent stdio`, `hermes --yolo acp`.
//
// JSON-RPC 2.0 over JSONL.  The flavour follows the arguments (or the file
// name): it only changes agentInfo and the capabilities that are advertised.

import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { attach } from "./lib/mcp-client.mjs";
import { planTurn, runTurn, TurnState } from "./lib/runner.mjs";
import { loadFakeConfig, makeAsker, makeRecorder, makeSender, refuseStart, serve, startDelay } from "./lib/stdio.mjs";

const config = loadFakeConfig();
const record = makeRecorder(config);
const argv = process.argv.slice(2);
const flavour =
  config.flavour ??
  (argv.includes("--yolo") ? "hermes" : argv.includes("stdio") ? "grok" : basename(process.argv[1]).includes("hermes") ? "hermes" : "kimi");
refuseStart(config, "fake acp refuses to start");
const send = makeSender(record, { jsonrpc: "2.0" });
const requests = makeAsker((id, { method, params }) => send({ id, method, params }));
const reply = (id, result) => send({ id, result });
const fail = (id, code, message, data) => send({ id, error: { code, message, ...(data === undefined ? {} : { data }) } });

const MODES = { kimi: ["default", "plan", "auto", "yolo"], hermes: ["default", "accept_edits", "dont_ask"], grok: undefined };
/** The modes that this flavour offers; Grok offers none. */
const modes = () =>
  MODES[flavour] === undefined ? {} : { modes: { currentModeId: "default", availableModes: MODES[flavour].map((id) => ({ id, name: id })) } };

const sessions = new Map(); // sessionId -> { mcp, state }
function mcpFrom(params) {
  const server = (params?.mcpServers ?? []).find((s) => s?.name === "groupx") ?? params?.mcpServers?.[0];
  if (typeof server?.url !== "string") return undefined;
  return { url: server.url, headers: Object.fromEntries((server.headers ?? []).map((h) => [h.name, h.value])) };
}

async function prompt(id, params) {
  const session = sessions.get(params?.sessionId);
  if (session === undefined) return await fail(id, -32602, "unknown session");
  const sessionId = params.sessionId;
  const state = new TurnState();
  session.state = state;
  const text = (params.prompt ?? []).filter((p) => p?.type === "text").map((p) => p.text).join("\n");
  const update = (body) => send({ method: "session/update", params: { sessionId, update: body } });
  const out = {
    text: (delta) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: delta } }),
    reasoning: (delta) => update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: delta } }),
    toolStart: (toolCallId, title) => update({ sessionUpdate: "tool_call", toolCallId, title, kind: "other", status: "pending", rawInput: {} }),
    toolEnd: (toolCallId, _title, ok) =>
      update({ sessionUpdate: "tool_call_update", toolCallId, status: ok ? "completed" : "failed", content: [{ type: "content", content: { type: "text", text: "done" } }] }),
    permission: (title, turnState) =>
      requests.ask({
        method: "session/request_permission",
        params: {
          sessionId,
          toolCall: { toolCallId: "perm-1", title, kind: "execute", status: "pending" },
          options: [
            { optionId: "allow", name: "Allow", kind: "allow_once" },
            { optionId: "reject", name: "Reject", kind: "reject_once" }
          ]
        }
      }, turnState),
    clientRequest: (method, extra, turnState) => requests.ask({ method, params: { sessionId, ...extra } }, turnState)
  };
  const plan = planTurn(text, config);
  if (plan.steps[0]?.verb === "deaf") return;
  const result = await runTurn({ prompt: text, plan, out, mcp: session.mcp, state })
    .catch((error) => ({ outcome: "failed", message: String(error?.message ?? error) }));
  session.state = undefined;
  if (result.outcome === "silent") return;
  if (result.outcome === "failed") {
    if (flavour !== "hermes") return await fail(id, -32603, result.message);
    // Hermes tells a failed model call as text and a normal end without usage.
    await update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: result.message } });
    return await reply(id, { stopReason: "end_turn" });
  }
  await reply(id, {
    stopReason: result.outcome === "cancelled" ? "cancelled" : "end_turn",
    ...(flavour === "hermes" ? { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2, cachedReadTokens: 0, thoughtTokens: 0 } } : {})
  });
}

async function handle(frame) {
  if (typeof frame.method !== "string") return requests.settle(frame.id, frame.result ?? frame.error);
  const { id, method, params } = frame;
  switch (method) {
    case "initialize":
      await startDelay(config);
      return await reply(id, {
        protocolVersion: config.protocolVersion ?? 1,
        agentCapabilities: {
          loadSession: config.loadSession ?? true,
          promptCapabilities: { image: false, audio: false, embeddedContext: false },
          ...(flavour === "hermes" ? {} : { mcpCapabilities: { http: true, sse: false } }),
          sessionCapabilities: config.sessionClose === false ? {} : { close: {} }
        },
        ...(flavour === "grok" ? {} : { agentInfo: flavour === "hermes" ? { name: "hermes-agent", version: "0.19.0" } : { name: "Kimi Code CLI", version: "2.1.0" } }),
        authMethods: []
      });
    case "session/new": {
      const sessionId = randomUUID();
      sessions.set(sessionId, { mcp: mcpFrom(params) });
      await attach(mcpFrom(params));
      return await reply(id, { sessionId, ...modes() });
    }
    case "session/load":
      if (config.resume === "fail") return await fail(id, -32603, "session not found");
      sessions.set(params.sessionId, { mcp: mcpFrom(params) });
      // History is replayed before the answer, as every real agent does.
      for (const sessionUpdate of ["user_message_chunk", "agent_message_chunk"]) {
        await send({ method: "session/update", params: { sessionId: params.sessionId, update: { sessionUpdate, content: { type: "text", text: "an earlier message" } } } });
      }
      await attach(mcpFrom(params));
      return await reply(id, modes());
    case "session/set_mode":
      return await reply(id, {});
    case "session/prompt":
      return void prompt(id, params);
    case "session/cancel":
      if (config.ignoreInterrupt !== true) sessions.get(params?.sessionId)?.state?.cancel();
      return;
    case "session/close":
      sessions.delete(params?.sessionId);
      return await reply(id, {});
    default:
      if (id !== undefined) await fail(id, -32601, `Method not found: ${method}`);
  }
}

serve({ config, record, handle, name: "fake acp" });
