/**
 * Where each row of a long timeline stands, in pixels: measured where it has been drawn, estimated
 * where not. It owns arithmetic only and refuses to know the document.
 */

import type { Row } from "../store/state";

export class Geometry {
  private rows: readonly Row[] = [];
  private heights: number[] = [];
  /** `tops[i]` is the upper edge of row i, valid up to `sound`. */
  private tops: number[] = [0];
  private sound = 0;
  private readonly measured = new Map<string, number>();

  constructor(private readonly estimate: (row: Row) => number) {}

  get count(): number {
    return this.rows.length;
  }

  get total(): number {
    return this.top(this.rows.length);
  }

  /** Takes over a changed timeline; appending, the common case, costs only what is new. */
  setRows(rows: readonly Row[]): void {
    const before = this.rows;
    if (rows === before) return;
    const last = before.length - 1;
    const appended =
      last >= 0 && rows.length >= before.length && rows[last] === before[last] && rows[0] === before[0];
    this.rows = rows;
    if (!appended) {
      this.heights = [];
      this.sound = 0;
    }
    for (let i = this.heights.length; i < rows.length; i += 1) {
      const row = rows[i] as Row;
      this.heights.push(this.measured.get(row.id) ?? this.estimate(row));
    }
    this.tops.length = rows.length + 1;
  }

  /** Notes what a row really measures; true when that is news. */
  measure(index: number, height: number): boolean {
    const row = this.rows[index];
    if (row === undefined) return false;
    this.measured.set(row.id, height);
    if (Math.abs((this.heights[index] ?? 0) - height) < 0.01) return false;
    this.heights[index] = height;
    this.sound = Math.min(this.sound, index);
    return true;
  }

  /** The upper edge of a row; of the row after the last one: the whole height. */
  top(index: number): number {
    for (; this.sound < index; this.sound += 1) {
      this.tops[this.sound + 1] = (this.tops[this.sound] ?? 0) + (this.heights[this.sound] ?? 0);
    }
    return this.tops[index] ?? 0;
  }

  /** The row at a height; the first or last one outside. */
  at(y: number): number {
    let low = 0;
    let high = Math.max(0, this.rows.length - 1);
    this.top(this.rows.length);
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.tops[middle] ?? 0) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
