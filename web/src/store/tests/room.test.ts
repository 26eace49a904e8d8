import { describe, expect, test } from "vitest";
import { Room } from "../room";
import { event, seenAgent, snapshotAt } from "./streams";

/** A room whose frames come when the test says so. */
function roomWithFrames() {
  const frames: (() => void)[] = [];
  const room = new Room((flush) => frames.push(flush));
  return { room, frames, frame: () => frames.splice(0).forEach((flush) => flush()) };
}

const message = (seq: number) => event(seq, "message.created", { content: `n ${seq}` });
const messages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => message(from + at));

describe("the room", () => {
  test("shows what arrives with the next frame, however much it is", () => {
    const { room, frames, frame } = roomWithFrames();
    room.meet(snapshotAt([], 0, 0));
    for (const each of messages(1, 50)) room.receive(each);
    expect(frames).toHaveLength(1);
    expect(room.state.value?.rows).toHaveLength(0);
    frame();
    expect(room.state.value?.rows).toHaveLength(50);
  });

  test("without frames, as in a hidden tab, does no work but keeps its cursor", () => {
    const { room } = roomWithFrames();
    room.meet(snapshotAt([], 0, 0));
    const heard: number[] = [];
    room.onArrival(({ seq }) => heard.push(seq ?? -1));
    for (const each of messages(1, 5)) room.receive(each);
    expect(room.cursor).toBe(5);
    expect(heard).toEqual([1, 2, 3, 4, 5]);
    expect(room.state.value?.throughSeq).toBe(0);
  });

  test("web_07_goes_on_from_its_cursor_when_it_meets_the_same_room_again", () => {
    const { room, frame } = roomWithFrames();
    const events = messages(1, 9);
    room.meet(snapshotAt(events, 3, 100));
    room.receive(message(4));
    room.meet(snapshotAt(events, 9, 100));
    expect(room.cursor).toBe(4);
    for (const each of messages(5, 9)) room.receive(each);
    frame();
    expect(room.state.value?.rows).toHaveLength(9);
  });

  test("web_07_begins_anew_with_another_room_or_after_a_very_long_absence", () => {
    const { room } = roomWithFrames();
    room.meet(snapshotAt(messages(1, 9), 9, 100));
    room.meet(snapshotAt(messages(1, 2), 2, 100));
    expect(room.cursor).toBe(2);
    expect(room.state.value?.rows).toHaveLength(2);
    const many = messages(1, 6_000);
    room.meet(snapshotAt(many, 6_000, 100));
    expect(room.cursor).toBe(6_000);
    expect(room.state.value?.rows).toHaveLength(100);
  });

  test("mcp_11_takes_over_how_the_tools_of_its_agents_stand", () => {
    const { room } = roomWithFrames();
    const agents = [{ ...seenAgent("agent:ada", "Ada"), tools: "pending" as const }];
    room.meet({ ...snapshotAt([], 0, 0), agents });
    const before = room.state.value;
    const health = {
      adapterId: "ada",
      status: "ready" as const,
      nativeSessionAvailable: true,
      updatedAt: "",
    };
    room.noteTools([{ ...health, tools: "pending" }]);
    expect(room.state.value).toBe(before);
    room.noteTools([{ ...health, tools: "attached" }]);
    expect(room.state.value?.agents.get("agent:ada")?.tools).toBe("attached");
  });
});
