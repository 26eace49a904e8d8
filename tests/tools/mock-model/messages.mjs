// The Anthropic Messages API, as Claude Code uses it: streamed, or whole JSON
// for its helper requests (titles, summaries).

import { lastScripted, outputText, pickTool, plan, scriptedError } from "./conversation.mjs";
import { chunk } from "./script.mjs";
import { json, openStream, textDeltas } from "./stream.mjs";

export async function messages(call) {
  const { no, res, body, note, options } = call;
  const turn = readMessages(body.messages ?? [], options.markers);
  const steps = plan(turn, options.markers);
  if (scriptedError(call, turn, steps, (type, message) => ({ type: "error", error: { type, message } }))) return;
  if (body.stream !== true) return json(res, 200, wholeMessage(body, steps, no));

  const sse = openStream(res, no);
  const reply = new Reply(sse, no, body);
  for (const step of steps) {
    if (sse.closed()) return note({ at: "client-gone", no, step: step.kind });
    if (step.kind === "sleep") await sse.pause(step.ms);
    else if (step.kind === "reason") await reply.think(step.text, options.deltaMs);
    else if (step.kind === "tool" || step.kind === "shell") reply.call(step);
    else if (step.kind === "drop") return sse.destroy();
    else if (step.kind === "sseerror") return reply.failed(step.code);
    else if (step.kind === "stop") reply.stopReason = step.reason;
    else if (!(await reply.text(step, options.deltaMs))) return note({ at: "client-gone", no, step: step.kind });
  }
  reply.completed();
}

/** The events of one reply, content block after content block. */
class Reply {
  index = 0;
  stopReason = "end_turn";

  constructor(sse, no, body) {
    this.sse = sse;
    this.no = no;
    this.tools = body.tools ?? [];
    this.usage = { input_tokens: 1000 + no, cache_creation_input_tokens: 0, cache_read_input_tokens: 100, output_tokens: 1 };
    this.send("message_start", { message: { id: `msg_mock_${no}`, type: "message", role: "assistant", model: body.model, content: [], stop_reason: null, stop_sequence: null, usage: this.usage } });
    this.send("ping", {});
  }

  send(type, data) {
    this.sse.send(type, { type, ...data });
  }

  begin(content_block) {
    this.send("content_block_start", { index: this.index, content_block });
  }

  delta(delta) {
    this.send("content_block_delta", { index: this.index, delta });
  }

  finish() {
    this.send("content_block_stop", { index: this.index });
    this.index += 1;
  }

  async think(text, deltaMs) {
    this.begin({ type: "thinking", thinking: "", signature: "" });
    for (const thinking of chunk(text)) {
      this.delta({ type: "thinking_delta", thinking });
      await this.sse.pause(deltaMs);
    }
    this.delta({ type: "signature_delta", signature: "bW9jaw==" });
    this.finish();
  }

  /** -> false when the client hung up in the middle. */
  async text(step, deltaMs) {
    this.begin({ type: "text", text: "" });
    for await (const text of textDeltas(step, this.sse, deltaMs)) this.delta({ type: "text_delta", text });
    if (this.sse.closed()) return false;
    this.finish();
    return true;
  }

  call(step) {
    const call = toolCall(step, this.tools);
    this.begin({ type: "tool_use", id: `toolu_mock_${this.no}_${this.index}`, name: call.name, input: {} });
    for (const part of chunk(call.json)) this.delta({ type: "input_json_delta", partial_json: part });
    this.finish();
    this.stopReason = "tool_use";
  }

  failed(code) {
    this.send("error", { error: { type: code, message: `scripted ${code}` } });
    this.sse.end();
  }

  completed() {
    this.send("message_delta", { delta: { stop_reason: this.stopReason, stop_sequence: null }, usage: { ...this.usage, output_tokens: 50 + this.no } });
    this.send("message_stop", {});
    this.sse.end();
  }
}

function wholeMessage(body, steps, no) {
  const content = [];
  for (const step of steps) {
    if (step.kind === "text") content.push({ type: "text", text: step.text });
    if (step.kind === "tool" || step.kind === "shell") {
      const call = toolCall(step, body.tools ?? []);
      content.push({ type: "tool_use", id: `toolu_mock_${no}`, name: call.name, input: JSON.parse(call.json) });
    }
  }
  return {
    id: `msg_mock_${no}`, type: "message", role: "assistant", model: body.model, content,
    stop_reason: content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn", stop_sequence: null,
    usage: { input_tokens: 1000 + no, output_tokens: 50 + no }
  };
}

function readMessages(list, markers) {
  return lastScripted(list.flatMap((message) => {
    if (message.role !== "user") return [{}];
    if (typeof message.content === "string") return [{ user: message.content }];
    return message.content.map((block) => {
      if (block.type === "tool_result") return { result: outputText(block.content) };
      return block.type === "text" ? { user: block.text } : {};
    });
  }), markers);
}

function toolCall(step, tools) {
  if (step.kind === "shell") return { name: "Bash", json: JSON.stringify({ command: step.command, description: "mock shell call" }) };
  const hit = step.exact ? undefined : pickTool(step.name, tools.map((tool) => ({ name: tool.name })));
  return { name: hit?.name ?? step.name, json: JSON.stringify(step.args) };
}
