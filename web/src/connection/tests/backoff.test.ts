import { expect, test } from "vitest";
import { pauseMs } from "../backoff";

test("the pause grows, stays bounded, and is never the same for all", () => {
  const pauses = Array.from({ length: 30 }, (_, tries) => pauseMs(tries, 0.5));
  expect(pauses[0]).toBe(400);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(Math.max(...pauses)).toBe(8_000);
  expect(pauseMs(3, 0)).toBeLessThan(pauseMs(3, 1));
});
