/** How long to wait before the next try to reach the host. */

const FIRST_MS = 400;
const LONGEST_MS = 8_000;

/** Milliseconds before try number `tries` (from 0); `random` in 0..1 keeps many tabs apart. */
export function pauseMs(tries: number, random: number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries, 16));
  return Math.round(whole * (0.75 + random * 0.5));
}
