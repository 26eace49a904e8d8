/**
 * When the page draws: once a frame at most, and less often when drawing is slow, so that it always
 * has time to answer its user.
 */

import type { Pacer } from "./room";

/** A pacer on the browser's frames, which stop by themselves while the tab is hidden. */
export function framePacer(): Pacer {
  let notBefore = 0;
  return (flush) => {
    const frame = () => {
      if (performance.now() < notBefore) {
        requestAnimationFrame(frame);
        return;
      }
      const began = performance.now();
      flush();
      // Runs after the picture is made: what it cost is what the user then gets for free.
      setTimeout(() => {
        const now = performance.now();
        notBefore = now + Math.min(now - began, LONGEST_PAUSE_MS);
      });
    };
    requestAnimationFrame(frame);
  };
}

const LONGEST_PAUSE_MS = 250;
