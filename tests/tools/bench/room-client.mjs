// The public HTTP and SSE contract, as the load tool's cases use it.

import { Agent, request as httpRequest } from "node:http";

const http = new Agent({ keepAlive: true, maxSockets: 512 });

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const nowMs = () => Number(process.hrtime.bigint()) / 1e6;
export const terminalTypes = new Set(["turn.completed", "turn.failed", "turn.cancelled", "turn.interrupted"]);

/** A room at `base`; `target` is the agent that gets the messages. */
export class RoomClient {
  commands = 0;
  runId = Math.random().toString(36).slice(2, 8);

  constructor(base, target) {
    this.base = base;
    this.target = target;
  }

  commandId() {
    return `bench-${this.runId}-${++this.commands}`;
  }

  call(method, path, body) {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const req = httpRequest({
        host: this.base.hostname, port: this.base.port, method, path, agent: http,
        headers: payload === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(payload) }
      }, (res) => {
        const parts = [];
        res.on("data", (c) => parts.push(c));
        res.on("end", () => {
          const raw = Buffer.concat(parts);
          let parsed;
          try { parsed = JSON.parse(raw.toString("utf8")); } catch { parsed = undefined; }
          resolve({ status: res.statusCode, body: parsed, bytes: raw.length });
        });
        res.on("error", reject);
      });
      req.on("error", reject);
      req.end(payload);
    });
  }

  post(content, to = [this.target]) {
    return this.call("POST", "/api/messages", { clientCommandId: this.commandId(), to, content });
  }

  async throughSeq() {
    return (await this.call("GET", "/api/bootstrap")).body.room.throughSeq;
  }

  /** One SSE reader.  onEvent(envelope, arrivalMs, rawBytes). */
  subscribe(afterSeq, onEvent, onClose) {
    const state = { bytes: 0, frames: 0, lastId: afterSeq, closed: false };
    let buffer = "";
    const ready = new Promise((resolve, reject) => {
      const req = httpRequest({ host: this.base.hostname, port: this.base.port, method: "GET", path: `/api/events?afterSeq=${afterSeq}`, headers: { accept: "text/event-stream" } }, (res) => {
        resolve();
        res.setEncoding("utf8");
        res.on("data", (chunk) => {
          const at = nowMs();
          state.bytes += Buffer.byteLength(chunk);
          buffer += chunk;
          let from = 0;
          let end;
          while ((end = buffer.indexOf("\n\n", from)) >= 0) {
            const block = buffer.slice(from, end);
            from = end + 2;
            let data = "";
            for (const line of block.split("\n")) {
              if (line.startsWith("data: ")) data += line.slice(6);
              else if (line.startsWith("id: ")) state.lastId = Number(line.slice(4));
            }
            if (data === "") continue;
            state.frames += 1;
            onEvent(JSON.parse(data), at, block.length);
          }
          buffer = buffer.slice(from);
        });
        const done = () => {
          if (state.closed) return;
          state.closed = true;
          onClose?.(state);
        };
        res.on("end", done);
        res.on("close", done);
        res.on("error", done);
      });
      req.on("error", (error) => {
        reject(error);
        if (!state.closed) { state.closed = true; onClose?.(state); }
      });
      req.end();
      state.stop = () => { state.closed = true; req.destroy(); };
    });
    ready.catch(() => {});
    return { state, ready, stop: () => state.stop?.() };
  }

  /** Runs one Turn to its end and returns the terminal event. */
  async turn(content) {
    const after = await this.throughSeq();
    let wanted;
    let done;
    const finished = new Promise((resolve) => (done = resolve));
    const early = [];
    const sub = this.subscribe(after, (e, at) => {
      if (!terminalTypes.has(e.type)) return;
      if (wanted === undefined) early.push([e, at]);
      else if (e.body.turnId === wanted) done([e, at]);
    }, () => done(undefined));
    await sub.ready;
    const accepted = await this.post(content);
    wanted = accepted.body?.turns?.[0]?.turnId;
    const hit = early.find(([e]) => e.body.turnId === wanted);
    const result = hit ?? (await finished);
    sub.stop();
    return result?.[0];
  }

  /** Cancels every queued Turn (newest first, so that none gets dispatched), then the parked one. */
  async cancelAll(parked) {
    const active = (await this.call("GET", "/api/bootstrap")).body.activeTurns.map((t) => t.turnId).filter((id) => id !== parked);
    const total = active.length;
    const c0 = nowMs();
    await Promise.all(Array.from({ length: 8 }, async () => {
      while (active.length > 0) await this.call("POST", `/api/turns/${active.pop()}/cancel`, { clientCommandId: this.commandId() });
    }));
    const rate = Math.round((total / (nowMs() - c0)) * 1000);
    await this.call("POST", `/api/turns/${parked}/cancel`, { clientCommandId: this.commandId() });
    return rate;
  }
}
