/** The page's clock: ticks once a second while somebody looks at something that takes time. */

import { effect, signal, type ReadonlySignal } from "@preact/signals";

/** Epoch milliseconds, moving on only while `wanted` is true and the tab is visible. */
export function clock(wanted: ReadonlySignal<boolean>): ReadonlySignal<number> {
  const now = signal(Date.now());
  effect(() => {
    if (!wanted.value) return undefined;
    const tick = () => {
      if (document.visibilityState === "visible") now.value = Date.now();
    };
    tick();
    const timer = setInterval(tick, 1000);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  });
  return now;
}
