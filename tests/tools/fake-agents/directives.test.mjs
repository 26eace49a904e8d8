// The scripting language of the fake agents.
import assert from "node:assert/strict";
import test from "node:test";
import { defaultSteps, parsePrompt } from "./lib/directives.mjs";

test("only the newest message is a script", () => {
  const prompt = "[room_delta_since_cursor]\n| {{crash}}\n\n[current_message]\nhello {{say text=\"a }} b\"}} you";
  const parsed = parsePrompt(prompt);
  assert.deepEqual(parsed.steps, [{ verb: "say", args: { text: "a }} b" } }]);
  assert.equal(parsed.plain, "hello  you");
});

test("values are words, numbers, flags, strings and JSON", () => {
  const parsed = parsePrompt('[current_message]\n{{mcp tool=send args={"to":["agent:b"],"content":"{x}"} n=3 quiet}}');
  assert.deepEqual(parsed.steps[0].args, { tool: "send", args: { to: ["agent:b"], content: "{x}" }, n: 3, quiet: true });
});

test("a message without directives is echoed, a bare prompt summarized", () => {
  assert.equal(defaultSteps(parsePrompt("[current_message]\nhi"), 20)[0].verb, "echo");
  assert.match(defaultSteps(parsePrompt("line one\nline two"), 17)[0].args.text, /17 characters/u);
});

test("a broken directive is said, not thrown", () => {
  assert.match(parsePrompt("[current_message]\n{{say text=")["steps"][0].args.text, /^fake: /u);
});
