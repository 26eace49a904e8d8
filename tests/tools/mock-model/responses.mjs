// The OpenAI Responses API, as Codex uses it: one streamed reply a request.

import { contentText, lastScripted, outputText, pickTool, plan, scriptedError } from "./conversation.mjs";
import { chunk } from "./script.mjs";
import { openStream, textDeltas } from "./stream.mjs";

export async function responses(call) {
  const { no, res, body, note, options } = call;
  const turn = readInput(body.input ?? [], options.markers);
  const steps = plan(turn, options.markers);
  if (scriptedError(call, turn, steps, (type, message) => ({ error: { type, code: type, message } }))) return;

  const sse = openStream(res, no);
  const reply = new Reply(sse, no, body);
  for (const step of steps) {
    if (sse.closed()) return note({ at: "client-gone", no, step: step.kind });
    if (step.kind === "sleep") await sse.pause(step.ms);
    else if (step.kind === "reason") await reply.reason(step, options.deltaMs);
    else if (step.kind === "tool" || step.kind === "shell") reply.call(step);
    else if (step.kind === "drop") return sse.destroy();
    else if (step.kind === "sseerror") return reply.failed(step.code);
    else if (step.kind === "stop") return reply.incomplete(step.reason);
    else if (!(await reply.message(step, options.deltaMs))) return note({ at: "client-gone", no, step: step.kind });
  }
  reply.completed();
}

/** The events of one reply, item after item. */
class Reply {
  constructor(sse, no, body) {
    this.sse = sse;
    this.no = no;
    this.tools = body.tools ?? [];
    this.output = [];
    this.base = { id: `resp_mock_${no}`, object: "response", created_at: Math.floor(Date.now() / 1000), status: "in_progress", model: body.model, output: [] };
    this.send("response.created", { response: this.base });
  }

  send(type, data) {
    this.sse.send(null, { type, sequence_number: this.sse.next(), ...data });
  }

  get index() {
    return this.output.length;
  }

  id(prefix) {
    return `${prefix}_mock_${this.no}_${this.index}`;
  }

  begin(item) {
    this.send("response.output_item.added", { output_index: this.index, item });
  }

  finish(item) {
    this.send("response.output_item.done", { output_index: this.index, item });
    this.output.push(item);
  }

  async reason(step, deltaMs) {
    const { raw, text } = step;
    const item = { type: "reasoning", id: this.id("rs"), summary: [], content: null, encrypted_content: null };
    const at = { item_id: item.id, output_index: this.index };
    this.begin(item);
    if (!raw) this.send("response.reasoning_summary_part.added", { ...at, summary_index: 0, part: { type: "summary_text", text: "" } });
    for (const delta of chunk(text)) {
      if (raw) this.send("response.reasoning_text.delta", { ...at, content_index: 0, delta });
      else this.send("response.reasoning_summary_text.delta", { ...at, summary_index: 0, delta });
      await this.sse.pause(deltaMs);
    }
    if (raw) return this.finish({ ...item, content: [{ type: "reasoning_text", text }] });
    this.send("response.reasoning_summary_text.done", { ...at, summary_index: 0, text });
    this.finish({ ...item, summary: [{ type: "summary_text", text }] });
  }

  /** -> false when the client hung up in the middle. */
  async message(step, deltaMs) {
    const item = { type: "message", id: this.id("msg"), role: "assistant", status: "in_progress", content: [] };
    const at = { item_id: item.id, output_index: this.index, content_index: 0 };
    this.begin(item);
    this.send("response.content_part.added", { ...at, part: { type: "output_text", text: "", annotations: [] } });
    let text = "";
    for await (const delta of textDeltas(step, this.sse, deltaMs)) {
      text += delta;
      this.send("response.output_text.delta", { ...at, delta });
    }
    if (this.sse.closed()) return false;
    this.send("response.output_text.done", { ...at, text });
    this.finish({ ...item, status: "completed", content: [{ type: "output_text", text, annotations: [] }] });
    return true;
  }

  call(step) {
    const call = step.kind === "tool" ? toolCall(step, this.tools) : shellCall(step, this.tools);
    const item = { ...call, id: this.id("fc"), call_id: this.id("call"), status: "completed" };
    if (item.type !== "function_call") {
      this.begin(item);
    } else {
      this.begin({ ...item, arguments: "" });
      const at = { item_id: item.id, output_index: this.index };
      this.send("response.function_call_arguments.delta", { ...at, delta: item.arguments });
      this.send("response.function_call_arguments.done", { ...at, arguments: item.arguments });
    }
    this.finish(item);
  }

  failed(code) {
    this.send("response.failed", { response: { ...this.base, status: "failed", error: { code, message: `scripted ${code}` } } });
    this.sse.end();
  }

  incomplete(reason) {
    this.send("response.incomplete", { response: { ...this.base, status: "incomplete", incomplete_details: { reason } } });
    this.sse.end();
  }

  completed() {
    const { no, output } = this;
    this.send("response.completed", {
      response: {
        ...this.base,
        status: "completed",
        output,
        usage: {
          input_tokens: 1000 + no,
          input_tokens_details: { cached_tokens: 100 },
          output_tokens: 50 + no,
          output_tokens_details: { reasoning_tokens: 10 },
          total_tokens: 1050 + 2 * no
        }
      }
    });
    this.sse.end();
  }
}

function readInput(input, markers) {
  const items = typeof input === "string" ? [{ type: "message", role: "user", content: input }] : input;
  return lastScripted(items.map((item) => {
    if (item.role === "user") return { user: contentText(item.content) };
    if (/_output$/.test(item.type ?? "")) return { result: outputText(item.output) };
    return {};
  }), markers);
}

/** Function tools, flattened: some come inside a `namespace` group. */
function flatTools(tools) {
  return tools.flatMap((tool) =>
    tool.type === "namespace"
      ? (tool.tools ?? []).map((inner) => ({ name: inner.name, namespace: tool.name, type: inner.type }))
      : [{ name: tool.name ?? tool.type, type: tool.type }]);
}

function toolCall(step, tools) {
  const hit = step.exact ? undefined : pickTool(step.name, flatTools(tools));
  if (hit?.type === "custom") return { type: "custom_tool_call", name: hit.name, input: step.raw };
  return {
    type: "function_call",
    name: hit?.name ?? step.name,
    ...(hit?.namespace ? { namespace: hit.namespace } : {}),
    arguments: step.exact ? step.raw : JSON.stringify(step.args)
  };
}

/** Whatever shell tool this Codex build offers. */
function shellCall({ command }, tools) {
  const names = new Set(flatTools(tools).map((tool) => tool.name));
  const call = (name, args) => ({ type: "function_call", name, arguments: JSON.stringify(args) });
  if (names.has("exec_command")) return call("exec_command", { cmd: command });
  if (names.has("shell_command")) return call("shell_command", { command });
  if (names.has("local_shell")) return { type: "local_shell_call", action: { type: "exec", command: ["sh", "-c", command], env: {} } };
  return call("shell", { command: ["sh", "-c", command] });
}
