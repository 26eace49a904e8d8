/** Tables: a header line, a line of dashes, and rows of cells. */

import type { Align } from "./syntax";

/** The cells of a line; a pipe after a backslash is part of its cell. */
function cellsOf(line: string): readonly string[] {
  const text = line.trim().replace(/^\|/u, "");
  const cells: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "|") {
      cells.push(text.slice(from, at));
      from = at + 1;
    }
  }
  if (text.slice(from).trim() !== "") cells.push(text.slice(from));
  return cells.map((cell) => cell.trim().replaceAll("\\|", "|"));
}

const DASHES = /^:?-+:?$/u;

function alignOf(cell: string): Align {
  const left = cell.startsWith(":");
  const right = cell.endsWith(":");
  if (left && right) return "center";
  return right ? "right" : left ? "left" : null;
}

/** How the columns are set, when these two lines begin a table. */
export function tableAt(head: string, dashes: string): readonly Align[] | null {
  if (!head.includes("|") || !/^[ \t]{0,3}[|:-]/u.test(dashes) || !/^[\s|:-]+$/u.test(dashes)) return null;
  const columns = cellsOf(dashes);
  if (columns.length === 0 || !columns.every((cell) => DASHES.test(cell))) return null;
  return cellsOf(head).length === columns.length ? columns.map(alignOf) : null;
}

/** A row with exactly `columns` cells. */
export function rowOf(line: string, columns: number): readonly string[] {
  const cells = cellsOf(line);
  return Array.from({ length: columns }, (_, at) => cells[at] ?? "");
}
