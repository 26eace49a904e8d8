/** A state as plain data, to compare what two ways of folding made. */

import type { RoomState } from "../state";
import type { Table } from "../table";

function sorted<V>(table: Table<V>): Record<string, V> {
  return Object.fromEntries([...table.entries()].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Everything a reload brings back. Left out is what only streams (the text of a Turn that never
 * answered included, which stays for who saw it) and what only snapshots tell (tools).
 */
export function plain(state: RoomState) {
  const turns = Object.entries(sorted(state.turns)).map(([id, turn]) => [
    id,
    { ...turn, live: null, partial: null },
  ]);
  return {
    throughSeq: state.throughSeq,
    olderBefore: state.olderBefore,
    rows: state.rows,
    messages: sorted(state.messages),
    notices: sorted(state.notices),
    turns: Object.fromEntries(turns) as unknown,
    open: [...state.open].sort(),
    agents: [...state.agents.values()].map((agent) => ({ ...agent, sessionSeq: 0, tools: null })),
  };
}
