// A room that is only a script: the host's routes and its event stream over a list in memory, so that
// a test can show the page exactly what it wants to see. It is no second host: nothing is checked.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { Author } from "./events.mjs";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";
const RECENT = 100;

export class RoomDouble {
  /** `page` is the folder of the built page. */
  constructor(page, agents) {
    this.page = page;
    this.agents = agents;
    this.events = [];
    this.streams = new Set();
    this.calls = [];
    this.open = new Map();
    this.author = new Author(agents, (envelope) => this.take(envelope));
    /** What to do with a call to POST …: `(path, body) -> [status, answer]`. */
    this.onWrite = (path, body) => this.accept(path, body);
    /** Called with the Turns that an accepted message made. */
    this.onTurns = () => {};
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  async listen(port = 0) {
    await new Promise((resolve) => this.server.listen(port, "127.0.0.1", resolve));
    this.port = this.server.address().port;
    this.origin = `http://127.0.0.1:${this.port}`;
    return this.origin;
  }

  /** Ends as a killed host does: every connection at once. */
  async close() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    this.streams.clear();
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  take(envelope) {
    if (envelope.seq !== null) this.events.push(envelope);
    this.note(envelope);
    const frame = frameOf(envelope);
    for (const stream of this.streams) stream.write(frame);
  }

  note({ type, body }) {
    if (type === "turn.queued")
      this.open.set(body.turnId, {
        turnId: body.turnId,
        targetActorId: body.targetActorId,
        status: "queued",
        sourceEventId: body.sourceEventId,
      });
    const active = this.open.get(body.turnId);
    if (active === undefined) return;
    if (type === "turn.dispatched") active.status = "dispatching";
    if (type === "turn.started") active.status = "running";
    if (/^turn\.(completed|failed|cancelled|interrupted)$/.test(type)) this.open.delete(body.turnId);
  }

  bootstrap() {
    const recentEvents = this.events.slice(-RECENT);
    const first = recentEvents[0]?.seq ?? 1;
    return {
      schema: "groupx.bootstrap/0.1",
      room: { roomId: "room:main", throughSeq: this.events.at(-1)?.seq ?? 0 },
      agents: this.agents,
      recentEvents,
      activeTurns: [...this.open.values()],
      ...(first > 1 ? { previousPage: { beforeSeq: first } } : {}),
    };
  }

  history(query) {
    const before = Number(query.get("beforeSeq"));
    const limit = Number(query.get("limit") ?? 100);
    const end = before - 1;
    const events = this.events.slice(Math.max(0, end - limit), end);
    const first = events[0]?.seq ?? 1;
    return { events, ...(first > 1 ? { previousPage: { beforeSeq: first } } : {}) };
  }

  accept(path, body) {
    if (path === "/api/messages") {
      const to = body.to[0] === "@all" ? this.agents.map((each) => each.actorId) : body.to;
      const { message, turns } = this.author.say(
        body.content,
        to,
        body.replyToEventId ? { replyToEventId: body.replyToEventId } : {},
      );
      setImmediate(() => this.onTurns(turns, body));
      const made = turns.map(({ turnId, target }) => ({
        target,
        turnId,
        status: "queued",
        transport: "structured",
      }));
      return [202, { messageEventId: message.eventId, correlationId: message.correlationId, turns: made }];
    }
    const cancelled = /^\/api\/turns\/([^/]+)\/cancel$/.exec(path);
    if (cancelled) {
      const turnId = decodeURIComponent(cancelled[1]);
      const active = this.open.get(turnId);
      if (active) setImmediate(() => this.author.end({ turnId, target: active.targetActorId }, "cancelled"));
      return [202, { turnId, accepted: active !== undefined, status: "cancelling" }];
    }
    if (/^\/api\/agents\/[^/]+\/restart$/.test(path))
      return [202, { actorId: decodeURIComponent(path.split("/")[3]), accepted: true }];
    return [404, { error: { code: "INVALID_ENVELOPE", message: `Nothing is at ${path}.` } }];
  }

  async serve(request, response) {
    const { pathname, searchParams } = new URL(request.url, "http://room");
    response.setHeader("content-security-policy", POLICY);
    response.setHeader("x-content-type-options", "nosniff");
    this.calls.push(`${request.method} ${pathname}`);
    if (request.method === "POST") {
      let text = "";
      for await (const chunk of request) text += chunk;
      const [status, answer] = this.onWrite(pathname, JSON.parse(text));
      return json(response, status, answer);
    }
    if (pathname === "/api/bootstrap") return json(response, 200, this.bootstrap());
    if (pathname === "/api/history") return json(response, 200, this.history(searchParams));
    if (pathname === "/api/health")
      return json(response, 200, {
        status: "ok",
        readiness: "ready",
        agents: this.agents.map((each) => ({
          adapterId: each.actorId.slice(6),
          status: each.status,
          tools: each.tools,
        })),
      });
    if (pathname === "/api/events") return this.stream(response, Number(searchParams.get("afterSeq") ?? 0));
    return this.file(response, pathname);
  }

  stream(response, after) {
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
    });
    response.write("retry: 1000\n: connected\n\n");
    response.write(
      this.events
        .filter((each) => each.seq > after)
        .map(frameOf)
        .join(""),
    );
    this.streams.add(response);
    response.on("close", () => this.streams.delete(response));
  }

  async file(response, pathname) {
    const name = pathname === "/" ? "index.html" : normalize(pathname).replace(/^[/\\]+/, "");
    try {
      const content = await readFile(join(this.page, name));
      response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" });
      response.end(content);
    } catch {
      json(response, 404, { error: { code: "INVALID_ENVELOPE", message: `Nothing is at ${pathname}.` } });
    }
  }
}

function frameOf(envelope) {
  const id = envelope.seq === null ? "" : `id: ${envelope.seq}\n`;
  return `${id}data: ${JSON.stringify(envelope)}\n\n`;
}

function json(response, status, body) {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(body));
}
