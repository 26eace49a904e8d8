#!/usr/bin/env node
// Fake `codex app-server --listen stdio://`.
//
// JSON-RPC over JSONL without the "jsonrpc" member, as the real app server
// speaks it: initialize -> initialized -> configRequirements/read ->
// thread/start | thread/resume -> turn/start, with turn/* and item/*
// notifications in between, and turn/interrupt to stop.

import { randomUUID } from "node:crypto";
import { attach } from "./lib/mcp-client.mjs";
import { planTurn, runTurn, TurnState } from "./lib/runner.mjs";
import { loadFakeConfig, makeAsker, makeRecorder, makeSender, refuseStart, serve, startDelay } from "./lib/stdio.mjs";

const config = loadFakeConfig();
refuseStart(config, "fake codex refuses to start");
const record = makeRecorder(config);
const send = makeSender(record);
const reply = (id, result) => send({ id, result });
const fail = (id, code, message) => send({ id, error: { code, message } });
const notify = (method, params) => send({ method, params });
const requests = makeAsker((id, { method, params }) => send({ id, method, params }));

let initialized = false;
const threads = new Map(); // threadId -> { mcp, turns }
const turns = new Map(); // turnId -> TurnState

function mcpFrom(params) {
  const server = params?.config?.["mcp_servers.groupx"] ?? params?.config?.mcp_servers?.groupx;
  return typeof server?.url === "string" ? { url: server.url, headers: server.http_headers ?? {} } : undefined;
}

const threadView = (id) => ({ id, cwd: process.cwd(), status: { type: "idle" }, turns: [] });

/** The answer to thread/start and thread/resume: policy and sandbox are echoed, the sandbox as an object. */
const threadAnswer = (threadId, params) => ({
  thread: threadView(threadId),
  model: "fake",
  modelProvider: "fake",
  cwd: process.cwd(),
  approvalPolicy: params?.approvalPolicy ?? "on-request",
  sandbox: params?.sandbox === "danger-full-access" ? { type: "dangerFullAccess" } : { type: "readOnly" }
});

/** How this vendor spells what a script does in one Turn. */
function codexOutput(at, turnId) {
  const itemNotice = (method, item) => notify(method, { ...at, item });
  let message; // the open agentMessage item
  let items = 0;
  let phase = null;
  const out = {
    async text(delta) {
      if (message === undefined) {
        items += 1;
        message = { type: "agentMessage", id: `msg-${turnId}${items === 1 ? "" : `-${items}`}`, text: "", phase };
        await itemNotice("item/started", message);
      }
      message = { ...message, text: message.text + delta };
      await notify("item/agentMessage/delta", { ...at, itemId: message.id, delta });
    },
    /** Ends the open message; what is said next is an item of its own, in the given phase. */
    async nextItem(nextPhase = null) {
      if (message !== undefined) await itemNotice("item/completed", message);
      message = undefined;
      phase = nextPhase;
    },
    reasoning: (delta) => notify("item/reasoning/summaryTextDelta", { ...at, itemId: `rs-${turnId}`, delta, summaryIndex: 0 }),
    toolStart: (id, name) => itemNotice("item/started", toolItem(id, name, "inProgress")),
    toolEnd: (id, name, ok) => itemNotice("item/completed", toolItem(id, name, ok ? "completed" : "failed")),
    permission: (title, state) =>
      requests.ask({ method: "item/commandExecution/requestApproval", params: { ...at, itemId: `cmd-${turnId}`, reason: title } }, state),
    clientRequest: (method, extra, state) => requests.ask({ method, params: { ...at, ...extra } }, state)
  };
  return out;
}

/** What `turns` model requests of two tokens each cost. */
const tokens = (turns) => ({
  totalTokens: 2 * turns, inputTokens: turns, cachedInputTokens: 0, outputTokens: turns, reasoningOutputTokens: 0
});

const toolItem = (id, tool, status) => ({
  type: "mcpToolCall", id, server: "fake", tool, status, arguments: {}, result: null, error: null
});

async function startTurn(id, params) {
  const threadId = params?.threadId;
  const thread = threads.get(threadId);
  if (thread === undefined) return await fail(id, -32600, `thread not found: ${threadId}`);
  const prompt = (params.input ?? []).filter((p) => p?.type === "text").map((p) => p.text).join("\n");
  const plan = planTurn(prompt, config);
  if (plan.steps[0]?.verb === "deaf") return;
  const turnId = randomUUID();
  const state = new TurnState();
  turns.set(turnId, state);
  const begun = { turn: { id: turnId, status: "inProgress", items: [], error: null } };
  await reply(id, begun);
  await notify("turn/started", { threadId, ...begun });

  const out = codexOutput({ threadId, turnId }, turnId);
  const result = await runTurn({ prompt, plan, out, mcp: thread.mcp, state })
    .catch((error) => ({ outcome: "failed", message: String(error?.message ?? error) }));
  turns.delete(turnId);
  if (result.outcome === "silent") return;
  if (result.outcome !== "cancelled") await out.nextItem(); // an interrupted turn leaves its items open
  await notify("thread/tokenUsage/updated", {
    threadId, turnId,
    tokenUsage: { total: tokens(++thread.turns), last: tokens(1), modelContextWindow: 200000 }
  });
  await notify("turn/completed", {
    threadId,
    turn: {
      id: turnId,
      status: result.outcome === "cancelled" ? "interrupted" : result.outcome,
      items: [],
      error: result.outcome === "failed" ? { message: result.message } : null
    }
  });
}

/** Opens a thread, attached to its MCP servers: they are "required", so the answer waits for them. */
async function openThread(id, params, threadId) {
  const mcp = mcpFrom(params);
  threads.set(threadId, { mcp, turns: 0 });
  await attach(mcp, "codex-mcp-client");
  await reply(id, threadAnswer(threadId, params));
}

async function handle(frame) {
  if (typeof frame.method !== "string") return requests.settle(frame.id, frame.result ?? frame.error);
  const { id, method, params } = frame;
  if (method === "initialize") {
    await startDelay(config);
    return await reply(id, {
      userAgent: "fake_codex/0.171.0", codexHome: process.cwd(), platformFamily: "unix", platformOs: process.platform
    });
  }
  if (method === "initialized") {
    initialized = true;
    return;
  }
  if (!initialized) {
    if (id !== undefined) await fail(id, -32600, "Not initialized");
    return;
  }
  switch (method) {
    case "configRequirements/read":
      return await reply(id, { requirements: config.requirements ?? null });
    case "thread/start": {
      const threadId = randomUUID();
      await openThread(id, params, threadId);
      return await notify("thread/started", { thread: threadView(threadId) });
    }
    case "thread/resume":
      if (config.resume === "fail") return await fail(id, -32600, `no rollout found for thread id ${params?.threadId}`);
      return await openThread(id, params, params.threadId);
    case "turn/start":
      return void startTurn(id, params);
    case "turn/interrupt":
      await reply(id, {});
      if (config.ignoreInterrupt !== true) turns.get(params?.turnId)?.cancel();
      return;
    default:
      if (id !== undefined) await fail(id, -32601, `method not found: ${method}`);
  }
}

serve({ config, record, handle, name: "fake codex" });
