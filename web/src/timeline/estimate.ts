/** Guesses how high a row will be before it is drawn; the nearer, the steadier the scroll bar. */

import type { Room } from "../store/room";
import type { Row } from "../store/state";

const HEAD = 48;
const LINE = 20;
const SIGNS_A_LINE = 80;
/** Longer texts are folded. */
const MOST_LINES = 400;

function linesOf(text: string): number {
  return Math.min(MOST_LINES, Math.ceil(text.length / SIGNS_A_LINE));
}

export function estimateIn(room: Room): (row: Row) => number {
  return (row) => {
    const state = room.state.peek();
    if (state === null || row.kind === "notice") return LINE + 8;
    if (row.kind === "message") return HEAD + LINE * linesOf(state.messages.get(row.id)?.content ?? "");
    const turn = state.turns.get(row.id);
    if (turn === undefined) return HEAD;
    const answer = turn.answerId === null ? undefined : state.messages.get(turn.answerId);
    const folds = (turn.reasoning === null ? 0 : 1) + (turn.tools.length === 0 ? 0 : 1);
    return (
      HEAD + LINE * (folds + linesOf(answer?.content ?? turn.partial ?? "") + (turn.failure === null ? 0 : 2))
    );
  };
}
