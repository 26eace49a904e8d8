// Runs the steps of one Turn against a small vendor-neutral output interface.
// Each fake agent supplies `out` (how its vendor spells a delta, a tool call,
// a permission request, ...) and gets the scripting language for free.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultSteps, parsePrompt } from "./directives.mjs";
import { McpHttpClient } from "./mcp-client.mjs";
import { writeRaw } from "./stdio.mjs";

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Names the `cancelled` state so that a step can stop between two writes. */
export class TurnState {
  cancelled = false;
  waiters = new Set();
  cancel() {
    this.cancelled = true;
    for (const wake of this.waiters) wake();
    this.waiters.clear();
  }
  async pause(ms) {
    if (this.cancelled) return;
    let wake;
    const woken = new Promise((resolve) => (wake = resolve));
    this.waiters.add(wake);
    await Promise.race([sleep(ms), woken]);
    this.waiters.delete(wake);
  }
  async forever() {
    if (this.cancelled) return;
    await new Promise((resolve) => this.waiters.add(resolve));
  }
}

/** What this prompt makes the agent do: {bare, plain, steps}. `onPrompt` rules of the start-up file come first. */
export function planTurn(prompt, config = {}) {
  const rule = (config.onPrompt ?? []).find((r) => prompt.includes(r.contains));
  const parsed = parsePrompt(rule === undefined ? prompt : `[current_message]\n${rule.script}`);
  return { ...parsed, steps: defaultSteps(parsed, prompt.length) };
}

/**
 * -> { outcome: "completed" | "cancelled" | "failed" | "silent", message? }
 * "silent" means: send no terminal frame at all.
 */
export async function runTurn({ prompt, plan, out, mcp, state }) {
  const scene = { prompt, plain: plan.plain, out, state, tools: 0, mcp: new McpSeat(mcp) };
  for (const { verb, args } of plan.steps) {
    if (state.cancelled) return { outcome: "cancelled" };
    const ended = await (STEPS[verb] ?? STEPS.unknown)(scene, args, verb);
    if (ended !== undefined) return ended;
  }
  return { outcome: state.cancelled ? "cancelled" : "completed" };
}

/** The MCP server of the session, with a binding header that a script may forge or drop. */
class McpSeat {
  constructor(server) {
    this.server = server;
    this.headers = server?.headers ?? {};
  }
  rebind(args) {
    this.headers = args.none === true ? {} : { ...this.headers, "X-GroupX-Binding": String(args.value ?? "forged") };
    this.client = undefined;
  }
  open() {
    if (this.server === undefined) return undefined;
    this.client ??= new McpHttpClient({ url: this.server.url, headers: this.headers, name: "fake-agent" });
    return this.client;
  }
}

/** A reply of the MCP server becomes a file, a delta, or both. */
async function showReply({ out }, args, reply) {
  if (args.save !== undefined) writeFileSync(join(process.cwd(), String(args.save)), JSON.stringify(reply, null, 2));
  if (args.quiet !== true) await out.text(JSON.stringify(reply));
}

/** One entry a verb; a step that returns an outcome ends the Turn. */
const STEPS = {
  echo: ({ out, plain }) => out.text(`echo: ${plain}`),
  say: ({ out }, args) => out.text(String(args.text ?? "")),
  repeat: ({ out }, args) => out.text(String(args.text ?? "x").repeat(Number(args.n ?? 1))),
  item: ({ out }, args) => out.nextItem?.(args.phase),

  async deltas({ out, state }, args) {
    const size = Number(args.size ?? 6);
    const every = Number(args.every ?? 0);
    const chunk = "abcdefghij".repeat(Math.ceil(size / 10)).slice(0, size);
    for (let i = 0; i < Number(args.n ?? 10); i += 1) {
      if (state.cancelled) return { outcome: "cancelled" };
      await out.text(chunk);
      if (every > 0) await state.pause(every);
    }
  },
  async reason({ out }, args) {
    for (let i = 0; i < Number(args.n ?? 1); i += 1) await out.reasoning(String(args.text ?? "thinking "));
  },
  async tool(scene, args) {
    const name = String(args.name ?? "shell");
    for (let i = 0; i < Number(args.n ?? 1); i += 1) {
      const id = args.id === undefined ? `tool-${++scene.tools}` : `${args.id}${i === 0 ? "" : `-${i}`}`;
      await scene.out.toolStart(id, name);
      if (args.ms !== undefined) await scene.state.pause(Number(args.ms));
      if (args.open !== true) await scene.out.toolEnd(id, name, args.fail !== true);
    }
  },
  sleep: ({ state }, args) => state.pause(Number(args.ms ?? 100)),

  binding: ({ mcp }, args) => void mcp.rebind(args),
  async mcp(scene, args) {
    const client = scene.mcp.open();
    const reply = client === undefined
      ? { isError: true, rpcError: "no MCP server was configured for this session" }
      : await client.call(String(args.tool), args.args ?? {});
    await showReply(scene, args, reply);
  },
  async "mcp-raw"(scene, args) {
    const client = scene.mcp.open();
    if (client !== undefined && !client.initialized) await client.initialize();
    await showReply(scene, args, (await client?.request(String(args.method), args.params ?? {})) ?? null);
  },
  async permission({ out, state }, args) {
    const answer = await out.permission(String(args.title ?? "run a command"), state);
    await out.text(`permission answer: ${JSON.stringify(answer)}`);
  },
  async "client-request"({ out, state }, args) {
    const answer = await out.clientRequest(String(args.method ?? "fake/unknown"), args.params ?? {}, state);
    await out.text(`client answer: ${JSON.stringify(answer)}`);
  },

  async dump({ out, prompt }, args) {
    writeFileSync(join(process.cwd(), String(args.file ?? "last-prompt.txt")), prompt);
    await out.text(`prompt has ${prompt.length} characters`);
  },
  stderr(_scene, args) {
    for (let i = 0; i < Number(args.n ?? 1); i += 1) process.stderr.write(`${String(args.text ?? "fake stderr")}\n`);
  },
  // A shell tool's child: a session of its own, no pipe to us, it outlives a careless parent.
  spawn(_scene, args) {
    spawn("sleep", [String(args.seconds ?? 600)], { detached: true, stdio: "ignore" }).unref();
  },

  malformed: (_scene, args) => writeRaw(`${String(args.text ?? "{this is not json")}\n`),
  badutf8: () => writeRaw(Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from('"}\n')])),
  partial: () => writeRaw('{"method":"item/agent'),
  // One frame of about `bytes` bytes: valid JSON unless garbage is asked for.
  async bigline({ out }, args) {
    const bytes = Number(args.bytes ?? 50_000_000);
    if (args.garbage !== true) return await out.text("y".repeat(bytes));
    for (let left = bytes; left > 0; left -= 65_536) await writeRaw("z".repeat(Math.min(left, 65_536)));
    await writeRaw("\n");
  },

  async crash(_scene, args) {
    await sleep(Number(args.ms ?? 0));
    process.exit(Number(args.code ?? 17));
  },
  async kill() {
    process.kill(process.pid, "SIGKILL");
    await new Promise(() => {});
  },
  async hang({ state }, args) {
    await (args.hard === true ? new Promise(() => {}) : state.forever());
  },
  fail: (_scene, args) => ({ outcome: "failed", message: String(args.message ?? "scripted failure") }),
  silent: () => ({ outcome: "silent" }),
  cancelled: () => ({ outcome: "cancelled" }),
  unknown: ({ out }, _args, verb) => out.text(`fake: unknown directive ${verb}`)
};
