// A room with everything in it that the page has to show: every state of a Turn, tools with diffs,
// Markdown, notices, a reply. For screenshots and for the tests that look at a still picture.

import { agent } from "./events.mjs";

export const CODEX = "agent:codex";
export const CLAUDE = "agent:claude";
export const KIMI = "agent:kimi";

export function threeAgents() {
  return [agent("codex", "Codex"), agent("claude", "Claude"), agent("kimi", "Kimi", { tools: "missing" })];
}

const ANSWER = `The lane loses its wake-up: \`notify_one\` runs **before** the row is visible to the reader.

1. Commit the transaction.
2. Publish the new \`seq\` to the watch channel.
3. Only then wake the lanes.

\`\`\`rust
let committed = store.append(command).await?;
self.head.send_replace(committed.seq);
self.lanes.wake(&committed.targets);
\`\`\`

| lane | before | after |
|:--|--:|--:|
| codex | 19 ms | 5 ms |
| kimi | 34 ms | 6 ms |

> The old order only worked because the reader polled every 50 ms.

See [the watch channel's documentation](https://docs.rs/tokio/latest/tokio/sync/watch/) for why a late subscriber still sees the last value.`;

const BEFORE = `fn accept(&mut self, command: Command) {
    self.lanes.wake(&command.targets);
    let seq = self.store.append(command);
    self.head.send_replace(seq);
}
`;

const AFTER = `fn accept(&mut self, command: Command) {
    let targets = command.targets.clone();
    let seq = self.store.append(command);
    self.head.send_replace(seq);
    self.lanes.wake(&targets);
}
`;

function step(nativeType, toolCallId, details) {
  return { nativeType, toolCallId, details };
}

const TOOLS = [
  step("tool.started", "t1", { title: "rg -n wake host/src/broker", kind: "search", status: "running" }),
  step("tool.completed", "t1", {
    title: "rg -n wake host/src/broker",
    kind: "search",
    status: "completed",
    content: [
      {
        type: "text",
        text: "host/src/broker/lane.rs:41: self.lanes.wake(&command.targets);\nhost/src/broker/lane.rs:88: pub fn wake(&self, targets: &[ActorId]) {",
      },
    ],
  }),
  step("tool.started", "t2", { title: "Edit host/src/broker/lane.rs", kind: "edit", status: "running" }),
  step("tool.completed", "t2", {
    title: "Edit host/src/broker/lane.rs",
    kind: "edit",
    status: "completed",
    content: [{ type: "diff", path: "host/src/broker/lane.rs", oldText: BEFORE, newText: AFTER }],
  }),
  step("tool.started", "t3", { title: "cargo test -p groupx lane", kind: "execute", status: "running" }),
  step("tool.completed", "t3", {
    title: "cargo test -p groupx lane",
    kind: "execute",
    status: "failed",
    content: [
      {
        type: "text",
        text: "test lane::wakes_once ... FAILED\n\nassertion `left == right` failed\n  left: 2\n right: 1",
      },
    ],
  }),
];

const USAGE = {
  inputTokens: 18_432,
  cachedInputTokens: 12_000,
  outputTokens: 1_240,
  contextUsed: 61_000,
  contextWindow: 272_000,
};

/** Fills a room with a morning's work; returns the Turns that are still open. */
export function tellStory(room) {
  const { author } = room;
  author.clock = Date.now() - 26 * 3_600_000;
  author.durable("session.ready", author.actor(CODEX), {
    phase: "ready",
    agentId: "codex",
    actorId: CODEX,
    attempt: 1,
    maxAttempts: 3,
    continuity: "new_session",
  });
  const first = author.say("Why does a queued Turn sometimes wait 50 ms before its lane picks it up?", [
    CODEX,
  ]);
  author.start(first.turns[0]);
  author.pass(42_000);
  const answer = author.complete(first.turns[0], ANSWER, {
    reasoning:
      "The lane is woken from `accept`. Let me look at the order of commit and wake.\n\nIf the wake comes first, the reader finds nothing and goes back to sleep.",
    tools: TOOLS,
    usage: USAGE,
  });
  author.clock = Date.now() - 900_000;
  author.durable("session.ready", author.actor(KIMI), {
    phase: "ready",
    agentId: "kimi",
    actorId: KIMI,
    attempt: 2,
    maxAttempts: 3,
    continuity: "new_session_after_resume_failure",
    message: "Kimi started a new session: its old one is gone. It is given the room's history again.",
  });
  const all = author.say(
    "Review that change, each of you from your own side.\nBe short.",
    [CODEX, CLAUDE, KIMI],
    { replyToEventId: answer.eventId },
  );
  const [codex, claude, kimi] = all.turns;
  for (const turn of all.turns) author.start(turn);
  author.pass(9_000);
  author.complete(
    codex,
    "Nothing to add: the order is right, and `wakes_once` counts a wake-up that the test itself sends.",
    { usage: { inputTokens: 20_100, outputTokens: 60 } },
  );
  author.pass(14_000);
  author.end(claude, "failed", {
    errorCode: "UNEXPECTED_NATIVE_INTERACTION",
    message: "Claude asked for permission to run a command, which nobody can give here.",
    interaction: { kind: "permission", adapterId: "claude" },
  });
  author.pass(3_000);
  author.end(kimi, "interrupted", { errorCode: "TURN_INTERRUPTED" });
  const note = author.say("Kimi, go on where you stopped.", [KIMI]);
  author.end(note.turns[0], "cancelled");
  author.durable("routing.loop_stopped", author.actor("system:groupx"), {
    errorCode: "ROOT_TURN_LIMIT_REACHED",
    limitKind: "rootTurns",
    limit: 48,
    targets: [KIMI],
    hopCount: 3,
  });
  author.durable("weather.changed", author.actor("system:groupx"), { from: "rain", to: "sun" });
  author.clock = Date.now() - 47_000;
  const last = author.say("Then fix the test and run the whole suite.", [CODEX]);
  author.start(last.turns[0]);
  const queued = author.say("And write the changelog entry afterwards.", [CODEX]);
  return { running: last.turns[0], queued: queued.turns[0] };
}

/** What streams in the Turn that runs. */
export function streamSome(room, turn) {
  const { author } = room;
  author.think(turn, "The test sends one wake-up itself, so it counts two.");
  author.tool(turn, "r1", "tool.started", {
    title: "sed -n 60,120p host/src/broker/tests/lane.rs",
    kind: "read",
    status: "running",
  });
  author.tool(turn, "r1", "tool.completed", {
    title: "sed -n 60,120p host/src/broker/tests/lane.rs",
    kind: "read",
    status: "completed",
  });
  author.tool(turn, "r2", "tool.started", {
    title: "cargo nextest run --workspace",
    kind: "execute",
    status: "running",
  });
  author.delta(
    turn,
    1,
    "I changed the expectation, not the lane: the test wakes it **once by hand**.\n\n```rust\nassert_eq!(lane.wakes(), 1 + BY_HAND);\n",
  );
}
