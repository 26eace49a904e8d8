// Chat Completions over the real door, as the CLIs see it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";

let server;
let base;

before(async () => {
  const script = fileURLToPath(new URL("server.mjs", import.meta.url));
  server = spawn(process.execPath, [script, "--delta-ms", "0", "--exit-with-stdin"], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await new Promise((resolve) => createInterface(server.stdout).once("line", (text) => resolve([text])));
  base = `http://127.0.0.1:${JSON.parse(line).port}/v1`;
});
after(() => server.kill());

const TOOLS = ["Bash", "mcp__room__send"].map((name) => ({ type: "function", function: { name, parameters: {} } }));

async function ask(messages, extra = {}) {
  return await fetch(`${base}/chat/completions`, {
    method: "POST", headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "mock-model", stream: true, tools: TOOLS, messages, ...extra })
  });
}

/** The deltas of a streamed answer, and its finish reason. */
async function streamed(messages, extra) {
  const text = await (await ask(messages, extra)).text();
  const data = text.split("\n\n").filter(Boolean).map((block) => block.replace(/^data: /, ""));
  assert.equal(data.pop(), "[DONE]");
  const choices = data.map((json) => JSON.parse(json)).flatMap((frame) => frame.choices);
  return { deltas: choices.map((choice) => choice.delta), finish: choices.at(-1).finish_reason };
}

const user = (content) => ({ role: "user", content });

test("thinking, text and a tool call are streamed, and the script goes on behind the result", async () => {
  const script = user('MOCK:reason let me see\nMOCK:text one two\nMOCK:tool room__send {"a":1}\nMOCK:text done');
  const first = await streamed([script]);
  assert.equal(first.deltas.map((delta) => delta.reasoning_content ?? "").join(""), "let me see");
  assert.equal(first.deltas.map((delta) => delta.content ?? "").join(""), "one two");
  const calls = first.deltas.flatMap((delta) => delta.tool_calls ?? []);
  assert.equal(calls[0].function.name, "mcp__room__send");
  assert.equal(calls.map((call) => call.function.arguments).join(""), '{"a":1}');
  assert.equal(first.finish, "tool_calls");
  const second = await streamed([script, { role: "assistant", content: null }, { role: "tool", content: "ok" }]);
  assert.equal(second.deltas.map((delta) => delta.content ?? "").join(""), "done");
});

test("a tool that a CLI keeps behind another one is reached through it", async () => {
  const tools = [{ type: "function", function: { name: "use_tool" } }];
  const { deltas } = await streamed([user('MOCK:tool room__send {"a":1}')], { tools });
  const calls = deltas.flatMap((delta) => delta.tool_calls ?? []);
  assert.equal(calls[0].function.name, "use_tool");
  assert.deepEqual(JSON.parse(calls.map((call) => call.function.arguments).join("")), { tool_name: "room__send", tool_input: { a: 1 } });
});

test("a helper request runs no script, and errors are shaped as OpenAI's", async () => {
  const helper = await ask([user("MOCK:error 500")], { tools: undefined, stream: false });
  assert.equal((await helper.json()).choices[0].message.content, "mock title");
  const refused = await ask([user("MOCK:error 401 bad key")]);
  assert.equal(refused.status, 401);
  assert.equal((await refused.json()).error.message, "bad key");
});

test("a stream is cut as often as the script says, then it is whole", async () => {
  const messages = [user("MOCK:text begun\nMOCK:drop x1\nMOCK:text whole")];
  await assert.rejects(async () => await (await ask(messages)).text());
  const { deltas } = await streamed(messages);
  assert.equal(deltas.map((delta) => delta.content ?? "").join(""), "begunwhole");
});
