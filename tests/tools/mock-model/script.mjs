// Prompt script language of the mock model.
//
// A script is the list of MOCK directives found in one user message. The mock
// is stateless: every request carries the whole conversation, so the step to
// run next follows from how many tool results already came back after the
// scripted message.

const DIRECTIVE = /^[ \t>*-]*MOCK:([a-z]+)(?:[ \t]+(.*))?$/;

/**
 * Parse the directives of one user message.
 * `markers` lets a host that prepends history to its prompts (a chat room, for
 * example) say where the live part starts: only the text after the last marker
 * counts.
 */
export function parseScript(text, markers = []) {
  let live = text;
  for (const marker of markers) {
    const at = live.lastIndexOf(marker);
    if (at >= 0) live = live.slice(at + marker.length);
  }
  const steps = [];
  for (const line of live.split(/\r?\n/)) {
    const match = DIRECTIVE.exec(line);
    if (!match) continue;
    const step = parseStep(match[1], (match[2] ?? "").trim());
    if (step) steps.push(step);
  }
  return steps;
}

function parseStep(word, rest) {
  switch (word) {
    case "text":
      return { kind: "text", text: unescapeText(rest) };
    case "reason":
      return { kind: "reason", text: unescapeText(rest) };
    case "rawreason": // Responses API only: raw reasoning instead of a summary
      return { kind: "reason", raw: true, text: unescapeText(rest) };
    case "tool":
    case "call": {
      // tool: name is resolved against the offered tools (MCP prefixes allowed)
      // call: name is sent exactly as written
      const cut = rest.search(/\s/);
      const name = cut < 0 ? rest : rest.slice(0, cut);
      const raw = cut < 0 ? "{}" : rest.slice(cut).trim() || "{}";
      return { kind: "tool", exact: word === "call", name, raw, args: safeJson(raw) };
    }
    case "shell":
      return { kind: "shell", command: rest };
    case "slow": {
      const [seconds, every] = rest.split(/\s+/).map(Number);
      return { kind: "slow", ms: (seconds || 5) * 1000, everyMs: every || 250 };
    }
    case "sleep":
      return { kind: "sleep", ms: (Number(rest) || 1) * 1000 };
    case "big":
      return { kind: "big", bytes: Number(rest) || 100_000 };
    case "error": {
      // "500", "500 x2" (only the first two tries fail) or "429 type text..."
      const [status, second, ...more] = rest.split(/\s+/);
      const times = /^x\d+$/.test(second ?? "");
      return {
        kind: "error",
        status: Number(status) || 500,
        times: timesOf(second),
        message: (times ? more : [second, ...more]).filter(Boolean).join(" ") || "scripted error",
      };
    }
    case "sseerror":
      return { kind: "sseerror", code: rest || "server_error" };
    case "drop": // always, or "x2": the first two times only
      return { kind: "drop", times: timesOf(rest) };
    case "stop":
      return { kind: "stop", reason: rest || "max_tokens" };
    default:
      return null;
  }
}

function timesOf(word) {
  const times = /^x(\d+)$/.exec(word ?? "");
  return times ? Number(times[1]) : Infinity;
}

/**
 * Steps for the current request: everything after the last finished tool step,
 * up to and including the next tool step. When the last tool step was the end
 * of the script, the answer quotes the tool result.
 */
export function nextSteps(steps, toolResults) {
  let index = 0;
  let seen = 0;
  while (index < steps.length && seen < toolResults.length) {
    if (isToolStep(steps[index])) seen += 1;
    index += 1;
  }
  const out = [];
  for (; index < steps.length; index += 1) {
    out.push(steps[index]);
    if (isToolStep(steps[index])) break;
  }
  if (out.length === 0) {
    const last = toolResults[toolResults.length - 1];
    out.push({
      kind: "text",
      text: last === undefined ? "mock: empty script" : `tool said: ${clip(last, 2000)}`,
    });
  }
  return out;
}

export function isToolStep(step) {
  return step.kind === "tool" || step.kind === "shell";
}

/** Split text into a few deltas, on spaces where possible. */
export function chunk(text) {
  if (text.length <= 4) return [text];
  const words = text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text];
  if (words.length === 1) {
    const half = Math.ceil(text.length / 2);
    return [text.slice(0, half), text.slice(half)];
  }
  return words;
}

export function clip(text, limit) {
  return text.length <= limit ? text : `${text.slice(0, limit)}...`;
}

function unescapeText(text) {
  return text.replace(/\\n/g, "\n");
}

function safeJson(raw) {
  try {
    return JSON.parse(raw);
  } catch {
    return {};
  }
}
