// How an answer leaves the mock: whole JSON, or server-sent events that can
// pause, stop when the client hangs up, or be cut.

import { chunk } from "./script.mjs";

export function json(res, status, data, headers = {}) {
  res.writeHead(status, { "content-type": "application/json", ...headers });
  res.end(JSON.stringify(data));
}

export function openStream(res, no) {
  res.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", "request-id": `req_mock_${no}` });
  let closed = false;
  let sequence = -1;
  const waiters = new Set();
  res.on("close", () => {
    closed = true;
    for (const wake of waiters) wake();
  });
  return {
    next: () => (sequence += 1),
    closed: () => closed,
    send(event, data) {
      if (!closed) res.write(`${event ? `event: ${event}\n` : ""}data: ${JSON.stringify(data)}\n\n`);
    },
    raw(data) {
      if (!closed) res.write(`data: ${data}\n\n`);
    },
    pause: (ms) => new Promise((resolve) => {
      if (closed) return resolve();
      const wake = () => {
        clearTimeout(timer);
        waiters.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      waiters.add(wake);
    }),
    end: () => res.end(),
    destroy: () => res.destroy()
  };
}

/** The deltas of one `text`, `big` or `slow` step, at the script's pace. */
export async function* textDeltas(step, sse, deltaMs) {
  if (step.kind === "big") {
    yield "x".repeat(step.bytes);
  } else if (step.kind === "text") {
    for (const delta of chunk(step.text)) {
      yield delta;
      await sse.pause(deltaMs);
    }
  } else {
    const end = Date.now() + step.ms;
    for (let tick = 1; Date.now() < end && !sse.closed(); tick += 1) {
      yield `tick ${tick} `;
      await sse.pause(step.everyMs);
    }
    if (!sse.closed()) yield "done";
  }
}
