// The OpenAI Chat Completions API, as Kimi Code, Hermes, Grok and OpenCode use it:
// streamed, or whole JSON.

import { contentText, lastScripted, pickTool, plan, scriptedError } from "./conversation.mjs";
import { chunk } from "./script.mjs";
import { json, openStream, textDeltas } from "./stream.mjs";

/** The shell tools of the CLIs, and what each wants to be told. */
const SHELLS = ["Bash", "terminal", "run_terminal_command", "bash"];

export async function chat(call) {
  const { no, res, body, note, options } = call;
  const turn = readMessages(body.messages ?? [], options.markers);
  const steps = isHelper(body) ? [{ kind: "text", text: "mock title" }] : plan(turn, options.markers);
  if (scriptedError(call, turn, steps, (type, message) => ({ error: { message, type, code: type, param: null } }))) return;
  if (body.stream !== true) return json(res, 200, wholeCompletion(body, steps, no));

  const sse = openStream(res, no);
  const reply = new Reply(sse, no, body);
  for (const step of steps) {
    if (sse.closed()) return note({ at: "client-gone", no, step: step.kind });
    if (step.kind === "sleep") await sse.pause(step.ms);
    else if (step.kind === "reason") await reply.think(step.text, options.deltaMs);
    else if (step.kind === "tool" || step.kind === "shell") reply.call(step);
    else if (step.kind === "drop") return sse.destroy();
    else if (step.kind === "sseerror") return reply.failed(step.code);
    else if (step.kind === "stop") reply.finishReason = step.reason;
    else if (!(await reply.text(step, options.deltaMs))) return note({ at: "client-gone", no, step: step.kind });
  }
  reply.completed();
}

/** Titles and summaries: such requests quote a prompt that is not theirs to run. */
function isHelper(body) {
  return (body.tools ?? []).length === 0;
}

/** The chunks of one completion. */
class Reply {
  calls = 0;
  finishReason = "stop";

  constructor(sse, no, body) {
    this.sse = sse;
    this.no = no;
    this.tools = toolNames(body);
    this.base = { id: `chatcmpl-mock-${no}`, object: "chat.completion.chunk", created: Math.floor(Date.now() / 1000), model: body.model };
    this.delta({ role: "assistant", content: "" });
  }

  delta(delta, finish_reason = null) {
    this.sse.send(null, { ...this.base, choices: [{ index: 0, delta, finish_reason }] });
  }

  async think(text, deltaMs) {
    for (const reasoning_content of chunk(text)) {
      this.delta({ reasoning_content });
      await this.sse.pause(deltaMs);
    }
  }

  /** -> false when the client hung up in the middle. */
  async text(step, deltaMs) {
    for await (const content of textDeltas(step, this.sse, deltaMs)) this.delta({ content });
    return !this.sse.closed();
  }

  call(step) {
    const call = toolCall(step, this.tools);
    const index = this.calls++;
    this.delta({ tool_calls: [{ index, id: callId(this.no, index), type: "function", function: { name: call.name, arguments: "" } }] });
    for (const part of chunk(call.json)) this.delta({ tool_calls: [{ index, function: { arguments: part } }] });
    this.finishReason = "tool_calls";
  }

  failed(code) {
    this.sse.send(null, { error: { message: `scripted ${code}`, type: code, code } });
    this.sse.end();
  }

  completed() {
    this.delta({}, this.finishReason);
    this.sse.send(null, { ...this.base, choices: [], usage: usage(this.no) });
    this.sse.raw("[DONE]");
    this.sse.end();
  }
}

function wholeCompletion(body, steps, no) {
  const text = steps.filter((step) => step.kind === "text").map((step) => step.text).join("");
  const calls = steps.filter((step) => step.kind === "tool" || step.kind === "shell");
  const tool_calls = calls.map((step, index) => {
    const call = toolCall(step, toolNames(body));
    return { id: callId(no, index), type: "function", function: { name: call.name, arguments: call.json } };
  });
  const message = { role: "assistant", content: text || null, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
  return {
    id: `chatcmpl-mock-${no}`, object: "chat.completion", created: Math.floor(Date.now() / 1000), model: body.model,
    choices: [{ index: 0, message, finish_reason: tool_calls.length > 0 ? "tool_calls" : "stop" }], usage: usage(no)
  };
}

function usage(no) {
  const [prompt_tokens, completion_tokens] = [1000 + no, 50 + no];
  return {
    prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens,
    prompt_tokens_details: { cached_tokens: 100 }, completion_tokens_details: { reasoning_tokens: 10 }
  };
}

function readMessages(list, markers) {
  return lastScripted(list.map((message) => {
    if (message.role === "user") return { user: contentText(message.content) };
    return message.role === "tool" ? { result: contentText(message.content) } : {};
  }), markers);
}

function toolNames(body) {
  return (body.tools ?? []).map((tool) => tool.function?.name).filter(Boolean);
}

function callId(no, index) {
  return `call_mock_${no}_${index}`;
}

function toolCall(step, names) {
  if (step.kind === "shell") {
    const name = SHELLS.find((shell) => names.includes(shell)) ?? SHELLS[0];
    return { name, json: JSON.stringify({ command: step.command, description: "mock shell call" }) };
  }
  const hit = step.exact ? undefined : pickTool(step.name, names.map((name) => ({ name })));
  if (!hit && !step.exact && names.includes("use_tool")) {
    // Grok keeps the tools of MCP servers behind one of its own.
    return { name: "use_tool", json: JSON.stringify({ tool_name: step.name, tool_input: step.args }) };
  }
  return { name: hit?.name ?? step.name, json: JSON.stringify(step.args) };
}
