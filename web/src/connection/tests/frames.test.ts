import { describe, expect, test } from "vitest";
import { FrameReader } from "../frames";

const STREAM =
  'retry: 1500\n: connected\n\nid: 7\ndata: {"seq":7}\n\n: heartbeat\n\ndata: one\ndata: two\r\n\r\ndata:tight\n\n';

function readIn(step: number): readonly string[] {
  const reader = new FrameReader();
  const data: string[] = [];
  for (let at = 0; at < STREAM.length; at += step) data.push(...reader.push(STREAM.slice(at, at + step)));
  return data;
}

describe("an event stream", () => {
  test.each([1, 2, 3, 5, 1000])("is the same however it is cut: %i characters a time", (step) => {
    expect(readIn(step)).toEqual(['{"seq":7}', "one\ntwo", "tight"]);
  });

  test("rest_04_one_event_of_8_mib_is_read_in_a_moment", () => {
    const reader = new FrameReader();
    const chunk = "x".repeat(65_536);
    const began = performance.now();
    reader.push("data: ");
    for (let n = 0; n < 128; n += 1) expect(reader.push(chunk)).toEqual([]);
    expect(reader.push("\n\n")[0]).toHaveLength(128 * 65_536);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
