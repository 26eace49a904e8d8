/** How single lines look that begin, go on with or end a block. Pure tests on one line. */

const SPACE = 32;
const TAB = 9;

/** Columns of white space at the start, which stands at `column`; a tab goes on to the next multiple of four. */
export function indentOf(line: string, column = 0): number {
  let columns = column;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line.charCodeAt(at);
    if (sign === SPACE) columns += 1;
    else if (sign === TAB) columns += 4 - (columns % 4);
    else break;
  }
  return columns - column;
}

/** The line, which stands at `column`, without its first `columns` of white space. */
export function dedent(line: string, columns: number, column = 0): string {
  let at = 0;
  let seen = column;
  while (at < line.length && seen < column + columns) {
    const sign = line.charCodeAt(at);
    if (sign === SPACE) seen += 1;
    else if (sign === TAB) seen += 4 - (seen % 4);
    else break;
    at += 1;
  }
  const rest = line.slice(at);
  const left = seen - column - columns;
  // Half a tab is left over: what follows it keeps its columns only as spaces.
  return left > 0 ? " ".repeat(left + indentOf(rest, seen)) + rest.trimStart() : rest;
}

/** Whether a line holds white space only. */
export function isBlank(line: string): boolean {
  return line.trim() === "";
}

interface Fence {
  readonly indent: number;
  readonly sign: string;
  readonly length: number;
  readonly info: string;
}

const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*(.*)$/u;

/** The fence that a line opens. */
export function fenceAt(line: string): Fence | null {
  const match = FENCE.exec(line);
  if (match === null) return null;
  const [, indent = "", run = "", info = ""] = match;
  const sign = run[0] ?? "`";
  if (sign === "`" && info.includes("`")) return null;
  return { indent: indent.length, sign, length: run.length, info: info.trim() };
}

/** Whether a line closes an open fence: the same sign, at least as long, and nothing else. */
export function closesFence(line: string, fence: Fence): boolean {
  if (indentOf(line) > 3) return false;
  const text = line.trim();
  return text.length >= fence.length && text === fence.sign.repeat(text.length);
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/u;

/** The heading that a line is. */
export function headingAt(line: string): { readonly level: number; readonly source: string } | null {
  const match = HEADING.exec(line);
  if (match === null) return null;
  return { level: (match[1] ?? "#").length, source: withoutClosing((match[2] ?? "").trim()) };
}

/** A heading's text without the row of signs that may close it. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end -= 1;
  if (end === 0) return "";
  const before = text[end - 1];
  return end < text.length && (before === " " || before === "\t") ? text.slice(0, end).trimEnd() : text;
}

/** Whether a line is a rule across the text. */
export function isRule(line: string): boolean {
  if (indentOf(line) > 3) return false;
  const text = line.replace(/[ \t]/gu, "");
  const sign = text[0];
  return (
    text.length >= 3 && (sign === "*" || sign === "-" || sign === "_") && text === sign.repeat(text.length)
  );
}

/** The level of the heading that this underline makes of the paragraph above it. */
export function underlineLevel(line: string): number | null {
  if (indentOf(line) > 3) return null;
  if (/^=+[ \t]*$/u.test(line.trimStart())) return 1;
  return /^-+[ \t]*$/u.test(line.trimStart()) ? 2 : null;
}

/** The rest of a line within a quote; null when it is not in one. */
export function quoted(line: string): string | null {
  const match = /^ {0,3}>/u.exec(line);
  if (match === null) return null;
  const rest = line.slice(match[0].length);
  return rest.startsWith(" ") || rest.startsWith("\t") ? dedent(rest, 1, match[0].length) : rest;
}

/** What begins an item of a list. */
export interface Marker {
  /** Two items with the same kind belong to one list. */
  readonly kind: string;
  /** Null for bullets. */
  readonly number: number | null;
  /** Columns before the item's content. */
  readonly width: number;
  readonly rest: string;
}

const MARKER = /^( {0,3})([-+*]|(\d{1,9})([.)]))(?=[ \t]|$)/u;

/** The marker that a line begins with. */
export function markerAt(line: string): Marker | null {
  const match = MARKER.exec(line);
  if (match === null || isRule(line)) return null;
  const [whole, , sign = "", digits, dot] = match;
  const after = line.slice(whole.length);
  const gap = indentOf(after, whole.length);
  // An item may be empty, or begin with code that is indented itself.
  const space = isBlank(after) || gap > 4 ? 1 : gap;
  return {
    kind: dot ?? sign,
    number: digits === undefined ? null : Number(digits),
    width: whole.length + space,
    rest: dedent(after, space, whole.length),
  };
}

/** Whether a line can begin a block in the middle of a paragraph. */
export function interrupts(line: string): boolean {
  if (indentOf(line) > 3) return false;
  if (fenceAt(line) !== null || headingAt(line) !== null || isRule(line) || quoted(line) !== null)
    return true;
  const marker = markerAt(line);
  return marker !== null && !isBlank(marker.rest) && (marker.number === null || marker.number === 1);
}

/** A line of a paragraph's text without its indentation, unless that keeps it from being a block. */
export function textOf(line: string): string {
  return indentOf(line) > 3 ? `    ${line.trimStart()}` : line.trimStart();
}
