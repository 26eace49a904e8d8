// The process side of every fake agent: its start-up file, its line framing,
// its wire log, and how it ends. It knows no vendor's frames.

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Start-up behaviour: fake-agent.json in the working directory, or nothing special. */
export function loadFakeConfig() {
  const path = join(process.cwd(), "fake-agent.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

/** {"start": {"exit": N}}: an agent that cannot start says why and leaves. */
export function refuseStart(config, why) {
  if (config.start?.exit === undefined) return;
  process.stderr.write(`${config.start.stderr ?? why}\n`);
  process.exit(config.start.exit);
}

/** {"start": {"hang": true}} never answers the handshake, {"delayMs": N} answers it late. */
export async function startDelay(config) {
  if (config.start?.hang === true) await new Promise(() => {});
  if (config.start?.delayMs) await new Promise((resolve) => setTimeout(resolve, config.start.delayMs));
}

/** Writes one chunk and waits for the pipe to drain, so that floods are paced by the reader. */
export async function writeRaw(chunk) {
  if (process.stdout.write(chunk)) return;
  await new Promise((resolve) => process.stdout.once("drain", resolve));
}

/** -> send(frame): one JSON line, noted in the wire log first when {"wireLog": true}. */
export function makeSender(record, members = {}) {
  return async (frame) => {
    record("out", frame);
    await writeRaw(`${JSON.stringify({ ...members, ...frame })}\n`);
  };
}

/** -> record(direction, frame): appends to wire-log.jsonl, which outlives a killed process. */
export function makeRecorder(config) {
  if (config.wireLog !== true) return () => {};
  const path = join(process.cwd(), "wire-log.jsonl");
  return (direction, frame) =>
    appendFileSync(path, `${JSON.stringify({ at: Date.now(), pid: process.pid, direction, frame })}\n`);
}

/**
 * Reads frames from stdin and handles them one after the other. `{"ignoreEof": true}` stays alive
 * after stdin closed and `{"ignoreTerm": true}` after SIGTERM, as a stuck CLI would.
 */
export function serve({ config, record, handle, name }) {
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  let chain = Promise.resolve();
  lines.on("line", (line) => {
    if (line.trim() === "") return;
    let frame;
    try {
      frame = JSON.parse(line);
    } catch {
      process.stderr.write(`${name}: malformed input\n`);
      return;
    }
    record("in", frame);
    chain = chain.then(() => handle(frame)).catch((error) => process.stderr.write(`${error.stack}\n`));
  });
  lines.on("close", () => {
    if (config.ignoreEof === true) setInterval(() => {}, 1 << 30);
    else process.exit(0);
  });
  if (config.ignoreTerm === true) process.on("SIGTERM", () => {});
}

/**
 * Requests that the fake sends to its client. `ask` resolves with the answer, or with "cancelled"
 * when the Turn is cancelled first; `settle` takes an incoming response.
 */
export function makeAsker(sendRequest) {
  const pending = new Map();
  let counter = 0;
  return {
    ask(request, state) {
      const id = `srv-${++counter}`;
      const answer = new Promise((resolve) => pending.set(id, resolve));
      void sendRequest(id, request);
      return Promise.race([answer, state.forever().then(() => "cancelled")]);
    },
    settle(id, value) {
      pending.get(id)?.(value ?? null);
      pending.delete(id);
    }
  };
}
