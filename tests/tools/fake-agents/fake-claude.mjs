#!/usr/bin/env node
// Fake `claude --print --input-format stream-json --output-format stream-json`.
//
// Client -> CLI: control_request (initialize, set_permission_mode, interrupt),
// control_response, and {type:"user"} messages.  CLI -> client: control_response,
// system/init (only after the first user message), stream_event, assistant,
// user (tool results), result, and control_request (can_use_tool).

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { attach } from "./lib/mcp-client.mjs";
import { planTurn, runTurn, TurnState } from "./lib/runner.mjs";
import { loadFakeConfig, makeAsker, makeRecorder, makeSender, refuseStart, serve, startDelay } from "./lib/stdio.mjs";

const config = loadFakeConfig();
const record = makeRecorder(config);
const argv = process.argv.slice(2);
const flag = (name) => {
  const at = argv.indexOf(name);
  return at < 0 ? undefined : argv[at + 1];
};
refuseStart(config, "fake claude refuses to start");
if (config.resume === "fail" && flag("--resume") !== undefined) {
  process.stderr.write(`No conversation found with session ID: ${flag("--resume")}\n`);
  process.exit(1);
}

const sessionId = flag("--session-id") ?? flag("--resume") ?? randomUUID();
let permissionMode = flag("--permission-mode") ?? "default";
const mcpServer = (() => {
  const raw = flag("--mcp-config");
  if (raw === undefined) return undefined;
  // Like the real flag: JSON, or the path of a file that holds it.
  const server = JSON.parse(raw.trimStart().startsWith("{") ? raw : readFileSync(raw, "utf8"))?.mcpServers?.groupx;
  return typeof server?.url === "string" ? { url: server.url, headers: server.headers ?? {} } : undefined;
})();

const send = makeSender(record);
const requests = makeAsker((request_id, request) => send({ type: "control_request", request_id, request }));
let turnCounter = 0;
let active; // TurnState

async function userMessage(frame) {
  const content = frame.message?.content;
  const prompt = typeof content === "string" ? content : (content ?? []).filter((p) => p?.type === "text").map((p) => p.text).join("\n");
  const plan = planTurn(prompt, config);
  if (plan.steps[0]?.verb === "deaf") return;
  const turn = ++turnCounter;
  const state = new TurnState();
  active = state;
  // Every turn begins with init, not only the first.
  await send({
    type: "system", subtype: "init", cwd: process.cwd(), session_id: sessionId, tools: ["Bash", "Read"],
    mcp_servers: mcpServer === undefined ? [] : [{ name: "groupx", status: "connected" }],
    model: "fake-model", permissionMode, apiKeySource: "none", claude_code_version: "2.1.197", uuid: randomUUID()
  });
  const messageId = `msg_fake_${turn}`;
  const event = (body) => send({ type: "stream_event", event: body, session_id: sessionId, parent_tool_use_id: null, uuid: randomUUID() });
  let text = "";
  let blockIndex = -1;
  let openKind;
  await event({ type: "message_start", message: { id: messageId, type: "message", role: "assistant", content: [] } });
  const block = async (kind, start) => {
    if (openKind === kind) return;
    if (openKind !== undefined) await event({ type: "content_block_stop", index: blockIndex });
    blockIndex += 1;
    openKind = kind;
    await event({ type: "content_block_start", index: blockIndex, content_block: start });
  };
  const out = {
    text: async (delta) => {
      await block("text", { type: "text", text: "" });
      text += delta;
      await event({ type: "content_block_delta", index: blockIndex, delta: { type: "text_delta", text: delta } });
    },
    reasoning: async (delta) => {
      await block("thinking", { type: "thinking", thinking: "" });
      await event({ type: "content_block_delta", index: blockIndex, delta: { type: "thinking_delta", thinking: delta } });
    },
    toolStart: async (id, name) => {
      await block(`tool:${id}`, { type: "tool_use", id, name, input: {} });
    },
    toolEnd: async (id, _name, ok) => {
      await send({
        type: "user",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "done", is_error: !ok }] },
        session_id: sessionId
      });
    },
    permission: (title, turnState) => requests.ask({ subtype: "can_use_tool", tool_name: "Bash", input: { command: title } }, turnState),
    clientRequest: (subtype, extra, turnState) => requests.ask({ subtype, ...extra }, turnState)
  };
  const result = await runTurn({ prompt, plan, out, mcp: mcpServer, state })
    .catch((error) => ({ outcome: "failed", message: String(error?.message ?? error) }));
  if (active === state) active = undefined;
  if (result.outcome === "silent") return;
  if (openKind !== undefined) await event({ type: "content_block_stop", index: blockIndex });
  await event({ type: "message_stop" });
  if (text !== "") {
    await send({ type: "assistant", message: { id: messageId, type: "message", role: "assistant", content: [{ type: "text", text }] }, session_id: sessionId });
  }
  const ok = result.outcome === "completed";
  await send({
    type: "result",
    subtype: ok ? "success" : "error_during_execution",
    is_error: !ok,
    terminal_reason: ok ? "completed" : result.outcome === "cancelled" ? "aborted_streaming" : "error",
    stop_reason: ok ? "end_turn" : null,
    num_turns: turn,
    ...(ok ? { result: text } : { errors: [result.message ?? "interrupted"] }),
    usage: { input_tokens: 1, output_tokens: 1 },
    session_id: sessionId,
    uuid: randomUUID()
  });
}

async function handle(frame) {
  if (frame.type === "control_response") {
    return requests.settle(frame.response?.request_id, frame.response?.response ?? frame.response?.error);
  }
  if (frame.type === "user") return void userMessage(frame);
  if (frame.type !== "control_request") return;
  const success = (response) =>
    send({ type: "control_response", response: { subtype: "success", request_id: frame.request_id, response } });
  switch (frame.request?.subtype) {
    case "initialize":
      await startDelay(config);
      return await success({ commands: [], output_style: "default", models: [{ value: "default" }], pid: process.pid, ...(config.oldInitialize === true ? { current_permission_mode: permissionMode } : {}) });
    case "set_permission_mode":
      permissionMode = config.permissionMode ?? frame.request.mode;
      return await success({ mode: permissionMode });
    case "mcp_status":
      return await success({ mcpServers: mcpServer === undefined ? [] : [{ name: "groupx", status: "connected" }] });
    case "interrupt":
      await send({ type: "control_response", response: { subtype: "success", request_id: frame.request_id } });
      if (config.ignoreInterrupt !== true) active?.cancel();
      return;
    default:
      return await send({
        type: "control_response",
        response: { subtype: "error", request_id: frame.request_id, error: `unsupported subtype: ${frame.request?.subtype}` }
      });
  }
}

void attach(mcpServer, "claude-code"); // at process start, awaited by nobody

serve({ config, record, handle, name: "fake claude" });
