/**
 * The room's one column: draws the rows of the viewport's window and gives them the keys. It refuses
 * to know what is in a row.
 */

import { effect, untracked } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";
import { useLanguage, usePage, useSelected } from "../layout/context";
import type { Row } from "../store/state";
import { EmptyRoom } from "./empty-room";
import { estimateIn } from "./estimate";
import { useRowKeys } from "./keys";
import { Older } from "./older";
import { OlderEdge } from "./older-edge";
import type { Wanted } from "./places";
import { RowFrame } from "./row-frame";
import { Viewport } from "./viewport";
import "./timeline.css";

/** Height of the edge above the first row; the style sheet has the same. */
const LEAD = 40;

export function Timeline() {
  const { room } = usePage();
  const { words } = useLanguage();
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const older = useMemo(() => new Older(room), [room]);
  const viewport = useMemo(
    () =>
      new Viewport(
        estimateIn(room),
        LEAD,
        () => redraw(undefined),
        () => older.want(),
      ),
    [room, older],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const before = useRef<HTMLDivElement>(null);
  const after = useRef<HTMLDivElement>(null);
  const rows = useSelected((state) => state.rows);
  const { start, end } = viewport.window(rows);
  const onKeyDown = useRowKeys();

  useLayoutEffect(() => {
    if (scroller.current === null || before.current === null || after.current === null) return undefined;
    return viewport.attach({ scroller: scroller.current, before: before.current, after: after.current });
  }, [viewport]);
  useLayoutEffect(() => viewport.settle());
  useGoing(viewport, scroller);

  return (
    <div class="timeline-frame">
      <div
        class="timeline"
        role="log"
        aria-live="off"
        aria-label={words["timeline.label"]}
        tabIndex={-1}
        ref={scroller}
        onScroll={() => viewport.scrolled()}
        onKeyDown={onKeyDown}
      >
        <div class="timeline-edge">
          <OlderEdge loading={older.loading.value} again={() => older.again()} />
        </div>
        <div ref={before} />
        {rows.slice(start, end).map((row, at) => (
          <RowFrame
            key={row.id}
            row={row}
            previous={rows[start + at - 1] ?? null}
            last={start + at === rows.length - 1}
            viewport={viewport}
          />
        ))}
        <div ref={after} />
        {rows.length === 0 && <EmptyRoom />}
      </div>
      <ToEnd viewport={viewport} />
    </div>
  );
}

/** Goes where the user wants to be brought. */
function useGoing(viewport: Viewport, scroller: RefObject<HTMLElement | null>): void {
  const { room, places } = usePage();
  useEffect(() => {
    const go = (wanted: Wanted) => {
      places.wanted.value = null;
      if (wanted.is === "end") return viewport.toEnd();
      const row = room.state.peek()?.rows.find((other) => other.id === wanted.id);
      if (row !== undefined) viewport.reveal(row);
      // A row that is not drawn yet is so after the next microtask.
      if (!focusRow(scroller.current, wanted.id)) setTimeout(() => focusRow(scroller.current, wanted.id));
    };
    // An effect of its own: the hook for signals waits for the next frame, and keys come faster.
    return effect(() => {
      const wanted = places.wanted.value;
      if (wanted !== null) untracked(() => go(wanted));
    });
  }, [room, places, viewport, scroller]);
}

function focusRow(scroller: HTMLElement | null, id: string): boolean {
  const row = scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
  row?.focus({ preventScroll: true });
  return row != null;
}

/** Leads back to the end, and says how much is new there. */
function ToEnd({ viewport }: { readonly viewport: Viewport }) {
  const { words } = useLanguage();
  const rows = useSelected((state) => state.rows);
  if (viewport.following.value) return null;
  const fresh = newerThan(rows, viewport.seenOrder.value);
  return (
    <button type="button" class="to-end" onClick={() => viewport.toEnd()}>
      {fresh > 0 ? words["timeline.new"](fresh) : words["timeline.toEnd"]}
    </button>
  );
}

function newerThan(rows: readonly Row[], order: number): number {
  let fresh = 0;
  for (let at = rows.length - 1; at >= 0 && (rows[at]?.order ?? 0) > order; at -= 1) fresh += 1;
  return fresh;
}
