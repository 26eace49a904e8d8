// Makes the envelopes of a room that does not exist: what a host would write, with a clock and ids
// that count. It knows the protocol's shapes and nothing of HTTP.

/** An agent as the bootstrap shows it. */
export function agent(id, displayName, more = {}) {
  return {
    actorId: `agent:${id}`,
    displayName,
    status: "ready",
    instanceId: `instance_${id}`,
    cwd: `/home/ada/work/${id}`,
    enabled: true,
    capabilities: {
      transport: "structured",
      transportLifecycle: "active",
      access: "unrestricted",
      currentTurnMcp: true,
    },
    tools: "attached",
    driver: id,
    driverInfo: {
      id,
      version: "0.1.0",
      protocol: `${id} wire v1`,
      unrestricted: "No sandbox and no approvals: it reads and changes files and runs commands as you.",
    },
    ...more,
  };
}

const SYSTEM = { actorId: "system:groupx", kind: "system", displayName: "GroupX" };
const USER = { actorId: "user:web", kind: "user", displayName: "You" };

/** Writes events into `emit(envelope)`, in the order and with the fields that the host gives them. */
export class Author {
  constructor(agents, emit, startAt = Date.now()) {
    this.agents = agents;
    this.emit = emit;
    this.seq = 0;
    this.made = 0;
    this.clock = startAt;
    this.messages = new Map();
  }

  id(prefix) {
    this.made += 1;
    return `${prefix}_${this.made.toString(16).padStart(32, "0")}`;
  }

  /** Lets time pass, in milliseconds. */
  pass(ms) {
    this.clock += ms;
  }

  actor(actorId) {
    const known = this.agents.find((each) => each.actorId === actorId);
    return known
      ? { actorId, kind: "agent", displayName: known.displayName, instanceId: known.instanceId }
      : actorId === "user:web"
        ? USER
        : SYSTEM;
  }

  envelope(type, actor, body, more = {}, durable = true) {
    if (durable) this.seq += 1;
    const correlationId = more.correlationId ?? "corr_1";
    return {
      schema: "groupx.event/0.1",
      eventId: this.id("evt"),
      seq: durable ? this.seq : null,
      roomId: "room:main",
      type,
      actor,
      to: [],
      correlationId,
      rootCorrelationId: correlationId,
      occurredAt: new Date(this.clock).toISOString(),
      durability: durable ? "durable" : "transient",
      body,
      ...more,
    };
  }

  durable(type, actor, body, more) {
    const envelope = this.envelope(type, actor, body, more);
    this.emit(envelope);
    return envelope;
  }

  live(type, actor, body) {
    this.emit(this.envelope(type, actor, body, {}, false));
  }

  /** A message by the user, and a queued Turn for each target. */
  say(content, to, more = {}) {
    const message = this.durable("message.created", USER, { content }, { to, ...more });
    this.messages.set(message.eventId, message);
    const turns = to.map((target) => {
      const turnId = this.id("turn");
      const adapterId = target.slice("agent:".length);
      this.durable(
        "turn.queued",
        SYSTEM,
        {
          turnId,
          sourceEventId: message.eventId,
          targetActorId: target,
          adapterId,
          transport: "structured",
          hopCount: 0,
        },
        { causationId: message.eventId },
      );
      return { turnId, target };
    });
    return { message, turns };
  }

  start({ turnId, target }) {
    const attemptId = this.id("attempt");
    this.durable("turn.dispatched", SYSTEM, { turnId, attemptId, targetActorId: target });
    this.durable("turn.started", this.actor(target), { turnId, attemptId });
  }

  delta({ turnId, target }, chunkIndex, text, more = {}) {
    this.live("turn.content.delta", this.actor(target), { turnId, chunkIndex, text, ...more });
  }

  think({ turnId, target }, text) {
    this.live("turn.reasoning.delta", this.actor(target), { turnId, text });
  }

  tool({ turnId, target }, toolCallId, nativeType, details) {
    this.live("tool.progress", this.actor(target), { turnId, nativeType, toolCallId, details });
  }

  /** The terminal transaction: reasoning, tools, answer, end. */
  complete({ turnId, target }, content, { reasoning, tools = [], usage } = {}) {
    const by = this.actor(target);
    if (reasoning)
      this.durable("turn.reasoning.recorded", by, {
        turnId,
        content: reasoning,
        terminalStatus: "completed",
      });
    for (const tool of tools) this.durable("tool.progress.recorded", by, { turnId, ...tool });
    const answer = this.durable("message.created", by, { turnId, content });
    this.messages.set(answer.eventId, answer);
    this.durable("turn.completed", by, {
      turnId,
      status: "completed",
      responseEventId: answer.eventId,
      ...(usage ? { usage } : {}),
    });
    return answer;
  }

  /** An end without an answer: `failed`, `cancelled` or `interrupted`. */
  end({ turnId, target }, status, more = {}) {
    this.durable(`turn.${status}`, this.actor(target), { turnId, status, ...more });
  }
}
