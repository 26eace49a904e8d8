/** A state as plain data, to compare what two ways of folding made. */

import type { RoomState } from "../state";
import type { Table } from "../table";

function sorted<V>(table: Table<V>): Record<string, V> {
  return Object.fromEntries([...table.entries()].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Everything a reload brings back; what only streams is left out. */
export function plain(state: RoomState) {
  const turns = Object.fromEntries(
    Object.entries(sorted(state.turns)).map(([id, turn]) => [id, { ...turn, live: null }]),
  );
  return {
    throughSeq: state.throughSeq,
    olderBefore: state.olderBefore,
    rows: state.rows,
    messages: sorted(state.messages),
    notices: sorted(state.notices),
    turns,
    open: [...state.open].sort(),
    agents: [...state.agents.values()].map(({ sessionSeq: _, ...agent }) => agent),
  };
}
