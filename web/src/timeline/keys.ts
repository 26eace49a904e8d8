/** The keys of the timeline: from row to row, and what can be done with the current one. */

import { useEffect } from "preact/hooks";
import { usePage } from "../layout/context";
import type { Page } from "../layout/context";
import { isOver } from "../store/state";

/** How long the first Esc is remembered, in milliseconds. */
const ESC_AGAIN_MS = 2500;

/** Moves the current row by `step`, or to an end for ±Infinity. */
function move(page: Page, step: number): void {
  const rows = page.room.state.peek()?.rows ?? [];
  const current = page.places.current.peek();
  const at = current === null ? rows.length - 1 : rows.findIndex((row) => row.id === current);
  const next = rows[Math.max(0, Math.min(rows.length - 1, (at < 0 ? rows.length : at) + step))];
  if (next !== undefined) page.places.go(next.id);
}

/** Presses a button of the current row, if it has it. */
function press(row: HTMLElement | null, action: string): boolean {
  const button = row?.querySelector<HTMLButtonElement>(`.row-actions [data-action="${action}"]`);
  button?.click();
  return button != null;
}

function toggleFolds(row: HTMLElement | null): boolean {
  const folds = [
    ...(row?.querySelectorAll<HTMLDetailsElement>(".row-body > details, .notice details") ?? []),
  ];
  const open = folds.some((fold) => !fold.open);
  for (const fold of folds) fold.open = open;
  return folds.length > 0;
}

/** The Turn that Esc speaks of: the focused one, else the only one that is open. */
function turnToStop(page: Page): string | null {
  const state = page.room.state.peek();
  if (state === null) return null;
  const current = page.places.current.peek();
  const focused = current === null ? undefined : state.turns.get(current);
  if (focused !== undefined && !isOver(focused.phase)) return focused.turnId;
  const [only, second] = state.open;
  return only !== undefined && second === undefined ? only : null;
}

/** The first Esc asks, the second one stops. True when it spoke of a Turn. */
export function escStops(page: Page): boolean {
  const turnId = turnToStop(page);
  if (turnId === null) return false;
  const { places, turning } = page;
  if (places.aboutToStop.peek() === turnId) {
    places.aboutToStop.value = null;
    void turning.stop(turnId);
    return true;
  }
  places.aboutToStop.value = turnId;
  return true;
}

/** Forgets the first Esc after a while. */
export function useForgetEsc(): void {
  const { places } = usePage();
  const about = places.aboutToStop.value;
  useEffect(() => {
    if (about === null) return undefined;
    const timer = setTimeout(() => {
      places.aboutToStop.value = null;
    }, ESC_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [about, places]);
}

/** What the timeline does with a key. */
export function useRowKeys(): (event: KeyboardEvent) => void {
  const page = usePage();
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (
      target.closest("button, a, summary, pre, select, textarea") !== null &&
      !event.key.startsWith("Arrow")
    )
      return;
    if (target.closest("pre") !== null) return;
    if (act(page, event.key, target.closest<HTMLElement>("[data-row]"))) event.preventDefault();
  };
}

function act(page: Page, key: string, row: HTMLElement | null): boolean {
  switch (key) {
    case "ArrowDown":
    case "j":
      move(page, 1);
      return true;
    case "ArrowUp":
    case "k":
      move(page, -1);
      return true;
    case "Home":
      move(page, -Infinity);
      return true;
    case "End":
      move(page, Infinity);
      page.places.toEnd();
      return true;
    case "r":
      return press(row, "reply");
    case "c":
      return press(row, "copy");
    case "o":
    case "Enter":
      return toggleFolds(row);
    default:
      return false;
  }
}
