// Records event streams of the built program for the fold's tests: `npm run record`. Everything that
// arrives on the stream, in order, live events included, while agents do all they can do.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withProgram } from "./support/program.mjs";

const STREAMS = new URL("../../web/src/store/tests/streams/", import.meta.url);

/** Collects the stream for as long as the recording lasts, across the program's own end. */
class Recorder {
  constructor(program) {
    this.program = program;
    this.events = [];
    this.waiting = new Set();
    this.stopped = new AbortController();
    void this.run();
  }

  async run() {
    while (!this.stopped.signal.aborted) {
      await this.follow().catch(() => new Promise((resolve) => setTimeout(resolve, 50)));
    }
  }

  async follow() {
    const after = this.events.findLast(({ seq }) => seq !== null)?.seq ?? 0;
    const response = await fetch(`${this.program.origin}/api/events?afterSeq=${after}`, {
      signal: this.stopped.signal,
    });
    let text = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const frames = text.split("\n\n");
      text = frames.pop();
      for (const frame of frames) this.take(/^data: (.*)$/m.exec(frame)?.[1]);
    }
  }

  take(data) {
    if (data === undefined) return;
    this.events.push(JSON.parse(data));
    for (const look of this.waiting) look();
  }

  /** Waits until the events so far are enough. */
  until(enough) {
    return new Promise((resolve) => {
      const look = () => {
        if (!enough(this.events)) return;
        this.waiting.delete(look);
        resolve();
      };
      this.waiting.add(look);
      look();
    });
  }
}

async function post(program, path, body) {
  const response = await fetch(program.origin + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ clientCommandId: crypto.randomUUID(), ...body }),
  });
  return response.json();
}

const ended = (events) =>
  events.filter(({ type }) => /^turn\.(completed|failed|cancelled|interrupted)$/.test(type)).length;

async function record(name, agents, story) {
  await withProgram(agents, async (program) => {
    const recorder = new Recorder(program);
    await story(program, (enough) => recorder.until(enough));
    recorder.stopped.abort();
    writeFileSync(
      new URL(`${name}.jsonl`, STREAMS),
      `${recorder.events.map((event) => JSON.stringify(event)).join("\n")}\n`,
    );
    console.log(`${fileURLToPath(STREAMS)}${name}.jsonl: ${recorder.events.length} events`);
  });
}

const ADA = "agent:ada";
const BEN = "agent:ben";

await record("codex", { ada: "Ada", ben: "Ben" }, async (program, until) => {
  const say = (to, content, more = {}) => post(program, "/api/messages", { to, content, ...more });
  const first = await say(
    ["@all"],
    '{{reason text="Hm. " n=3}}{{tool name=shell n=2 ms=20}}{{tool name=edit fail}}{{say text="One.\\n\\n"}}{{deltas n=20 size=8 every=5}}',
  );
  await until((events) => ended(events) === 2);
  await say([ADA], "Why?", { replyToEventId: first.messageEventId });
  await say([BEN], '{{say text="Half"}}{{crash code=17}}');
  await say([BEN], "After the crash");
  await until((events) => ended(events) === 5);
  await say([ADA], '{{tool name=shell open}}{{permission title="may I"}}');
  await say([ADA], '{{fail message="no credit"}}');
  await until((events) => ended(events) === 7);
  const hung = await say([ADA], '{{reason text="Long."}}{{say text="Begun"}}{{hang}}');
  const queued = await say([ADA], "Never run");
  await until((events) =>
    events.some(({ type, body }) => type === "turn.content.delta" && body.turnId === hung.turns[0].turnId),
  );
  await post(program, `/api/turns/${queued.turns[0].turnId}/cancel`, {});
  await post(program, `/api/turns/${hung.turns[0].turnId}/cancel`, {});
  await until((events) => ended(events) === 9);
  await say([BEN], '{{say text="Cut off"}}{{hang}}');
  await until((events) =>
    events.some(({ type, body }) => type === "turn.content.delta" && body.text.startsWith("Cut")),
  );
  await program.kill();
  await program.start();
  await say(["@all"], "Back again");
  await until((events) => ended(events) === 12);
});
