import { describe, expect, test } from "vitest";
import { apply, applyAll, applyOlder } from "../apply";
import { openRoom, withGap } from "../open";
import type { RoomState } from "../state";
import { plain } from "./plain";
import { durable, event, recorded, seenAgent, snapshotAt } from "./streams";

const STREAMS = ["morning", "codex"];

/** Loads the rest of the history, `size` events a page. */
function loadAll(state: RoomState, events: ReturnType<typeof recorded>, size: number): RoomState {
  let loaded = state;
  while (loaded.olderBefore !== null) {
    const below = durable(events).filter((each) => (each.seq ?? 0) < (loaded.olderBefore ?? 0));
    const page = below.slice(-size);
    loaded = applyOlder(loaded, page, below.length > page.length ? (page[0]?.seq ?? null) : null);
  }
  return loaded;
}

describe.each(STREAMS)("the recorded stream %s", (name) => {
  const events = recorded(name);
  const through = durable(events).at(-1)?.seq ?? 0;
  const reloaded = plain(openRoom(snapshotAt(events, through, events.length)));

  test("web_01_live_is_what_a_reload_shows: a snapshot anywhere, then live to the end", () => {
    for (const [at, cut] of events.entries()) {
      if (cut.seq === null) continue;
      let state = openRoom(snapshotAt(events, cut.seq, events.length));
      for (const each of events.slice(at + 1)) state = apply(state, each);
      expect(plain(state)).toEqual(reloaded);
    }
  });

  test("one by one and all at once are the same", () => {
    const start = openRoom(snapshotAt(events, 0, 0));
    const oneByOne = events.reduce(apply, start);
    expect(plain(applyAll(start, events))).toEqual(plain(oneByOne));
    expect(plain(oneByOne)).toEqual(reloaded);
  });

  test("rest_06_older_pages_complete_the_room: pages of any size, whatever they cut apart", () => {
    for (const recent of [0, 1, 2, 3, 5, 8, 13]) {
      for (const size of [1, 2, 3, 7, 500]) {
        const state = openRoom(snapshotAt(events, through, recent));
        expect(plain(loadAll(state, events, size))).toEqual(reloaded);
      }
    }
  });

  test("web_07_what_arrives_twice_changes_nothing", () => {
    const state = openRoom(snapshotAt(events, through, events.length));
    expect(plain(applyAll(state, durable(events)))).toEqual(reloaded);
    expect(plain(applyOlder(state, durable(events), null))).toEqual(reloaded);
  });

  test("env_04_fields_of_a_later_edition_do_no_harm", () => {
    const later = events.map((each) => ({ ...each, mood: "fine", body: { ...each.body, mood: "fine" } }));
    const state = openRoom(snapshotAt(later, through, later.length));
    expect(state.rows).toEqual(reloaded.rows);
  });
});

describe("a Turn", () => {
  const bare = snapshotAt([], 0, 0);
  const room = openRoom({ ...bare, agents: [seenAgent("agent:ada", "Ada")] });
  const queued = event(1, "turn.queued", {
    turnId: "t1",
    sourceEventId: "evt_0",
    targetActorId: "agent:ada",
  });
  const started = event(2, "turn.started", { turnId: "t1" });
  const delta = (text: string, more = {}) =>
    event(null, "turn.content.delta", { turnId: "t1", chunkIndex: 1, text, ...more });
  const working = applyAll(room, [queued, started]);

  test("collects what it streams", () => {
    const state = applyAll(working, [delta("Hel"), delta("lo")]);
    expect(state.turns.get("t1")?.live?.text).toBe("Hello");
  });

  test("drops what was streamed when its item begins anew", () => {
    const state = applyAll(working, [delta("Wrong"), delta("", { reset: true }), delta("Right")]);
    expect(state.turns.get("t1")?.live?.text).toBe("Right");
  });

  test("turn_10_keeps_partial_text_apart_from_an_answer", () => {
    const state = applyAll(working, [
      delta("Half a sen"),
      event(3, "turn.interrupted", { turnId: "t1", status: "interrupted", errorCode: "TURN_INTERRUPTED" }),
    ]);
    const turn = state.turns.get("t1");
    expect(turn).toMatchObject({ phase: "interrupted", partial: "Half a sen", answerId: null, live: null });
  });

  test("turn_01_never_leaves_a_terminal_state, whatever comes late", () => {
    const done = apply(working, event(3, "turn.cancelled", { turnId: "t1", status: "cancelled" }));
    const later = applyAll(done, [
      delta("late"),
      event(null, "tool.progress", {
        turnId: "t1",
        nativeType: "tool.started",
        toolCallId: "x",
        details: {},
      }),
      event(4, "turn.started", { turnId: "t1" }),
    ]);
    expect(later.turns.get("t1")).toMatchObject({ phase: "cancelled", live: null, tools: [] });
    expect(later.open.size).toBe(0);
  });

  test("says that it lacks a part after the page was away", () => {
    expect(withGap(apply(working, delta("x"))).turns.get("t1")?.live?.gap).toBe(true);
    expect(working.turns.get("t1")?.live?.gap).toBe(false);
  });

  test("that runs when the page opens stands in the timeline, even if its beginning is not loaded", () => {
    const events = [queued, started, event(3, "message.created", { content: "later" })];
    const state = openRoom(snapshotAt(events, 3, 1));
    expect(state.rows.map((row) => row.id)).toContain("t1");
    expect(state.turns.get("t1")).toMatchObject({ phase: "running", agentId: "agent:ada" });
  });
});

describe("events", () => {
  const room = openRoom(snapshotAt([], 0, 0));

  test("env_03_of_an_unknown_type_stand_in_the_timeline", () => {
    const state = apply(room, event(1, "weather.changed", { to: "sun" }));
    expect(state.rows).toHaveLength(1);
    expect(state.rows[0]?.kind).toBe("notice");
  });

  test.each(["approval.requested", "permission.asked", "user_input.wanted"])(
    "env_03_of_the_reserved_type %s are not shown",
    (type) => {
      const state = apply(room, event(1, type, { options: ["allow"] }));
      expect(state.rows).toHaveLength(0);
      expect(state.throughSeq).toBe(1);
    },
  );

  test("with a body that does not fit are shown as they came", () => {
    const odd = [
      event(1, "turn.queued", { turnId: 7 }),
      event(2, "message.created", { content: null }),
      event(3, "turn.completed", [] as never),
    ];
    expect(applyAll(room, odd).rows.map((row) => row.kind)).toEqual(["notice", "notice", "notice"]);
  });
});

test("web_05_a_batch_of_500_into_100000_rows_is_quick", () => {
  const many = Array.from({ length: 100_000 }, (_, at) =>
    event(at + 1, "message.created", { content: `n ${at}` }),
  );
  const full = applyAll(openRoom(snapshotAt([], 0, 0)), many);
  expect(full.rows).toHaveLength(100_000);
  const began = process.cpuUsage();
  applyAll(
    full,
    Array.from({ length: 500 }, (_, at) => event(100_001 + at, "message.created", { content: "new" })),
  );
  // A frame has 16 ms; a busy machine is given some more.
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(250);
});
