/**
 * A state under change: lets one batch of envelopes copy the timeline once instead of once each. It
 * never leaves this folder; outside, every state is immutable.
 */

import type { Agent, Message, Notice, RoomState, Row, Turn } from "./state";
import type { Table } from "./table";
import { newTurn } from "./turns";

export class Draft {
  throughSeq: number;
  messages: Table<Message>;
  notices: Table<Notice>;
  private turns: Table<Turn>;
  private open: ReadonlySet<string>;
  private agents: ReadonlyMap<string, Agent>;
  private readonly added: Row[] = [];
  private readonly moved = new Set<string>();

  constructor(private readonly base: RoomState) {
    this.throughSeq = base.throughSeq;
    this.messages = base.messages;
    this.notices = base.notices;
    this.turns = base.turns;
    this.open = base.open;
    this.agents = base.agents;
  }

  turn(turnId: string): Turn | undefined {
    return this.turns.get(turnId);
  }

  agent(actorId: string): Agent | undefined {
    return this.agents.get(actorId);
  }

  addRow(row: Row): void {
    this.added.push(row);
  }

  setAgent(agent: Agent): void {
    this.agents = new Map(this.agents).set(agent.actorId, agent);
  }

  /** Changes a Turn, giving it a row at `seq` when that is the earliest that is known of it. */
  changeTurn(turnId: string, seq: number, change: (turn: Turn) => Turn): void {
    const before = this.turns.get(turnId);
    const order = before === undefined || before.order === 0 ? seq : Math.min(before.order, seq);
    let turn = before ?? newTurn(turnId, order);
    if (before === undefined) this.added.push({ kind: "turn", id: turnId, order });
    else if (before.order !== order) this.move(turnId, order);
    turn = change(turn.order === order ? turn : { ...turn, order });
    this.turns = this.turns.with(turnId, turn);
    this.noteOpen(turn);
  }

  /** Changes a Turn that has its row already; what is unknown stays unknown. */
  touchTurn(turnId: string, change: (turn: Turn) => Turn): void {
    const before = this.turns.get(turnId);
    if (before === undefined) return;
    const turn = change(before);
    this.turns = this.turns.with(turnId, turn);
    this.noteOpen(turn);
  }

  finish(): RoomState {
    return {
      ...this.base,
      throughSeq: this.throughSeq,
      rows: this.rows(),
      messages: this.messages,
      turns: this.turns,
      notices: this.notices,
      open: this.open,
      agents: this.agents,
    };
  }

  private move(turnId: string, order: number): void {
    this.moved.add(turnId);
    const pending = this.added.findIndex((row) => row.kind === "turn" && row.id === turnId);
    if (pending >= 0) this.added.splice(pending, 1);
    this.added.push({ kind: "turn", id: turnId, order });
  }

  private noteOpen(turn: Turn): void {
    const over = turn.endedAt !== null;
    if (this.open.has(turn.turnId) !== over) return;
    const open = new Set(this.open);
    if (over) open.delete(turn.turnId);
    else open.add(turn.turnId);
    this.open = open;
  }

  private rows(): readonly Row[] {
    if (this.added.length === 0) return this.base.rows;
    const kept =
      this.moved.size === 0 ? this.base.rows : this.base.rows.filter((row) => !this.moved.has(row.id));
    const added = this.added.toSorted((a, b) => a.order - b.order);
    const first = added[0];
    const last = kept.at(-1);
    if (first === undefined) return kept;
    if (last === undefined || first.order >= last.order) return [...kept, ...added];
    return merge(kept, added);
  }
}

function merge(left: readonly Row[], right: readonly Row[]): Row[] {
  const rows: Row[] = [];
  let i = 0;
  for (const row of right) {
    for (let known = left[i]; known !== undefined && known.order <= row.order; known = left[i]) {
      rows.push(known);
      i += 1;
    }
    rows.push(row);
  }
  for (; i < left.length; i += 1) rows.push(left[i] as Row);
  return rows;
}
