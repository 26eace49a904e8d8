/**
 * What every row of the timeline has: its place, its focus, a date above it when the day changes.
 */

import { useLayoutEffect, useRef } from "preact/hooks";
import { useLanguage, usePage } from "../layout/context";
import { timeOfRow } from "../store/look-up";
import type { Row } from "../store/state";
import { memo } from "./memo";
import { MessageRow } from "./message-row";
import { NoticeRow } from "./notice-row";
import { TurnRow } from "./turn-row";
import type { Viewport } from "./viewport";
import "./row.css";

interface Props {
  readonly row: Row;
  readonly previous: Row | null;
  readonly last: boolean;
  readonly viewport: Viewport;
}

export const RowFrame = memo(function RowFrame({ row, previous, last, viewport }: Props) {
  const { places } = usePage();
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => (element.current === null ? undefined : viewport.watch(element.current)), [viewport]);
  const current = places.current.value;
  const reachable = current === row.id || (current === null && last);
  return (
    <article
      ref={element}
      class={`row row-${row.kind}`}
      data-row={row.id}
      tabIndex={reachable ? 0 : -1}
      aria-labelledby={`who-${row.id}`}
      onFocusIn={() => {
        places.current.value = row.id;
      }}
    >
      <DayLine row={row} previous={previous} />
      {row.kind === "message" && <MessageRow eventId={row.id} />}
      {row.kind === "turn" && <TurnRow turnId={row.id} previous={previous} />}
      {row.kind === "notice" && <NoticeRow eventId={row.id} />}
    </article>
  );
});

function DayLine({ row, previous }: { readonly row: Row; readonly previous: Row | null }) {
  const { format } = useLanguage();
  const { room } = usePage();
  // When a row began never changes while it stands where it is.
  const state = room.state.peek();
  const at = state === null ? null : timeOfRow(state, row);
  const before = state === null || previous === null ? null : timeOfRow(state, previous);
  if (at === null || (before !== null && sameDay(before, at))) return null;
  return (
    <p class="day-line">
      <time dateTime={at}>{format.day(at)}</time>
    </p>
  );
}

function sameDay(a: string, b: string): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}
