import { describe, expect, test } from "vitest";
import { applyAll } from "../apply";
import { Inbox } from "../inbox";
import { openRoom } from "../open";
import { plain } from "./plain";
import { event, recorded, snapshotAt } from "./streams";

const delta = (text: string, more = {}) =>
  event(null, "turn.content.delta", { turnId: "t1", chunkIndex: 1, text, ...more });
const textsIn = (inbox: Inbox) => inbox.take().map(({ body }) => body["text"]);

describe("the inbox", () => {
  test("joins what streams, so that a hidden tab holds little", () => {
    const inbox = new Inbox();
    for (let n = 0; n < 10_000; n += 1) inbox.push(delta("x"));
    expect(inbox.size).toBe(1);
    expect(textsIn(inbox)).toEqual(["x".repeat(10_000)]);
  });

  test("never moves text across a durable event", () => {
    const inbox = new Inbox();
    for (const each of [delta("a"), event(5, "turn.started", { turnId: "t1" }), delta("b"), delta("c")])
      inbox.push(each);
    expect(inbox.size).toBe(3);
    expect(inbox.lastSeq).toBe(5);
    expect(textsIn(inbox)).toEqual(["a", undefined, "bc"]);
  });

  test("keeps a text that is void, and what came after it", () => {
    const inbox = new Inbox();
    for (const each of [delta("wrong"), delta("", { reset: true }), delta("right")]) inbox.push(each);
    const [only] = inbox.take();
    expect(only?.body).toMatchObject({ text: "right", reset: true });
  });

  test("web_01_joined_or_not_the_room_is_the_same", () => {
    const events = recorded("morning");
    const start = openRoom(snapshotAt(events, 0, 0));
    const inbox = new Inbox();
    for (const each of events) inbox.push(each);
    const joined = applyAll(start, inbox.take());
    const single = applyAll(start, events);
    expect(plain(joined)).toEqual(plain(single));
    expect(joined.turns).toEqual(single.turns);
  });
});
