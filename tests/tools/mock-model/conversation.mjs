// What a request's conversation says: which user text is the script, which tool
// results came back since, and what to do next. It knows no API's shapes.

import { clip, nextSteps, parseScript } from "./script.mjs";
import { json } from "./stream.mjs";

/**
 * Finds the newest user text that carries a script, and collects the tool
 * results that follow it. Entries are {user} or {result} or neither, oldest first.
 */
export function lastScripted(entries, markers) {
  let found = -1;
  let lastUser = "";
  entries.forEach((entry, at) => {
    if (entry.user === undefined || isHostText(entry.user)) return;
    lastUser = entry.user;
    found = parseScript(entry.user, markers).length > 0 ? at : -1;
  });
  return {
    text: found < 0 ? lastUser : entries[found].user,
    scripted: found >= 0,
    results: found < 0 ? [] : entries.slice(found + 1).filter((entry) => entry.result !== undefined).map((entry) => entry.result)
  };
}

/** Context that the CLIs themselves inject as user messages. */
function isHostText(text) {
  return /^\s*<(system-reminder|environment_context|user_instructions|permissions|INSTRUCTIONS)/i.test(text)
    || /^# AGENTS\.md/.test(text)
    || /^\[Request interrupted/.test(text)
    || /^\s*<turn_aborted>/.test(text);
}

/** The steps of this reply; a text without a script is echoed. */
export function plan(turn, markers) {
  if (turn.scripted) return nextSteps(parseScript(turn.text, markers), turn.results);
  return [{ kind: "text", text: `mock echo: ${clip(turn.text.trim(), 200)}` }];
}

/** Serves a scripted HTTP error, shaped by the dialect. -> true when the request is answered. */
export function scriptedError({ res, no, note, failures }, turn, steps, shape) {
  spendDrops(failures, turn, steps);
  const step = steps.find((candidate) => candidate.kind === "error");
  if (!step) return false;
  const key = `${turn.text}#${turn.results.length}`;
  const served = failures.get(key) ?? 0;
  if (served >= step.times) {
    steps.splice(steps.indexOf(step), 1);
    if (steps.length === 0) steps.push({ kind: "text", text: "recovered" });
    return false;
  }
  failures.set(key, served + 1);
  note({ at: "scripted-error", no, status: step.status });
  json(res, step.status, shape(errorType(step.status), step.message), step.status === 429 ? { "retry-after": "1" } : {});
  return true;
}

/** Takes out what has cut its stream often enough. */
function spendDrops(failures, turn, steps) {
  const at = steps.findIndex((step) => step.kind === "drop" && step.times !== Infinity);
  if (at < 0) return;
  const key = `${turn.text}#${turn.results.length}#drop`;
  const served = failures.get(key) ?? 0;
  if (served < steps[at].times) failures.set(key, served + 1);
  else steps.splice(at, 1);
}

function errorType(status) {
  return {
    400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
    413: "request_too_large", 429: "rate_limit_error", 529: "overloaded_error"
  }[status] ?? "api_error";
}

/** Exact name, else the tool whose last `__`/`.` segment is the wanted one. */
export function pickTool(name, tools) {
  return tools.find((tool) => tool.name === name)
    ?? tools.find((tool) => `${tool.namespace ?? ""}${tool.name}` === name)
    ?? tools.find((tool) => tool.name.endsWith(`__${name}`) || tool.name.endsWith(`.${name}`));
}

export function contentText(content) {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("\n");
}

export function outputText(output) {
  if (typeof output === "string") return output;
  if (Array.isArray(output)) return contentText(output);
  return JSON.stringify(output ?? null);
}
