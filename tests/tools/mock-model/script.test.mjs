// The script language, line by line.
import assert from "node:assert/strict";
import test from "node:test";
import { chunk, nextSteps, parseScript } from "./script.mjs";

test("directives are read line by line, other lines are ignored", () => {
  const steps = parseScript("hi\nMOCK:reason why\n  > MOCK:text a b\nnot MOCK:text here");
  assert.deepEqual(steps.map((step) => step.kind), ["reason", "text"]);
});

test("only the text after the last marker counts", () => {
  const text = "MOCK:text old\n[now]\nMOCK:text old too\n[now]\nMOCK:text new";
  assert.deepEqual(parseScript(text, ["[now]"]), [{ kind: "text", text: "new" }]);
});

test("a tool step ends a reply, the result moves the script on", () => {
  const steps = parseScript('MOCK:text a\nMOCK:tool echo {"x":1}\nMOCK:shell ls\nMOCK:text b');
  assert.deepEqual(nextSteps(steps, []).map((step) => step.kind), ["text", "tool"]);
  assert.deepEqual(nextSteps(steps, ["r1"]).map((step) => step.kind), ["shell"]);
  assert.deepEqual(nextSteps(steps, ["r1", "r2"]).map((step) => step.kind), ["text"]);
});

test("a script that ends with a tool quotes its result", () => {
  const steps = parseScript("MOCK:tool echo {}");
  assert.deepEqual(nextSteps(steps, ["pong"]), [{ kind: "text", text: "tool said: pong" }]);
});

test("error directive", () => {
  assert.equal(parseScript("MOCK:error 429")[0].times, Infinity);
  assert.deepEqual(parseScript("MOCK:error 500 x2")[0], { kind: "error", status: 500, times: 2, message: "scripted error" });
  assert.equal(parseScript("MOCK:error 400 bad thing")[0].message, "bad thing");
});

test("chunks join to the same text", () => {
  for (const text of ["a", "hello", "two words", " lead and\ntrail ", "x y z\n"]) assert.equal(chunk(text).join(""), text);
});
