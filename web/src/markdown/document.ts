/**
 * A text as blocks that can grow: while an answer streams, what is above its last block is neither
 * read nor drawn again.
 */

import { readBlocks } from "./blocks";
import type { Block, References } from "./syntax";

/** A block with a name that stays while the text grows. */
export interface Piece {
  readonly key: number;
  readonly block: Block;
}

/** A text that has been read, and where reading goes on when it grows. */
export interface Document {
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly references: References;
  /** Where the last block that may still change begins, and how many pieces stand before it. */
  readonly openAt: number;
  readonly settled: number;
  /** Link targets from before `openAt`. */
  readonly settledReferences: References;
}

const NONE: References = new Map();
const EMPTY: Document = {
  text: "",
  pieces: [],
  references: NONE,
  openAt: 0,
  settled: 0,
  settledReferences: NONE,
};

/** The document of a whole text. */
export function documentOf(text: string): Document {
  return extended(EMPTY, normalized(text));
}

/** The document of a text that goes on from an earlier one; of any other text, made anew. */
export function grown(before: Document, text: string): Document {
  const next = normalized(text);
  if (next === before.text) return before;
  return next.startsWith(before.text) ? extended(before, next) : extended(EMPTY, next);
}

function normalized(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/gu, "\n") : text;
}

function extended(before: Document, text: string): Document {
  const open = text.slice(before.openAt);
  const lines = open.split("\n");
  const found: References = new Map(before.settledReferences);
  const placed = readBlocks(lines, found);
  // The same targets stay the same object, so that nothing that uses them is drawn again.
  const references = sameTargets(found, before.references) ? before.references : found;
  const kept = before.pieces.slice(0, before.settled);
  const fresh = placed.map(({ block }, at): Piece => {
    const key = before.settled + at;
    const known = before.pieces[key];
    // An unchanged block stays the same object, so that it is not drawn again.
    return known !== undefined && at < placed.length - 1 && sameBlock(known.block, block)
      ? known
      : { key, block };
  });
  const last = lastSettling(
    lines,
    placed.map(({ line }) => line),
  );
  const openLine = placed[last]?.line ?? 0;
  return {
    text,
    pieces: [...kept, ...fresh],
    references,
    openAt: before.openAt + lengthOf(lines, openLine),
    settled: before.settled + last,
    settledReferences:
      found.size === before.settledReferences.size
        ? before.settledReferences
        : definedIn(lines.slice(0, openLine), before.settledReferences),
  };
}

function definedIn(lines: readonly string[], before: References): References {
  const found: References = new Map(before);
  readBlocks(lines, found);
  return found;
}

function sameTargets(a: References, b: References): boolean {
  return (
    a.size === b.size &&
    [...a].every(([label, { href, title }]) => b.get(label)?.href === href && b.get(label)?.title === title)
  );
}

/**
 * The last block that begins before the line which is still being written: that line may yet turn
 * out to belong to the block above it.
 */
function lastSettling(lines: readonly string[], begins: readonly number[]): number {
  let last = begins.length - 1;
  while (last > 0 && (begins[last] ?? 0) >= lines.length - 1) last -= 1;
  return Math.max(0, last);
}

function lengthOf(lines: readonly string[], count: number): number {
  let length = 0;
  for (let at = 0; at < count; at += 1) length += (lines[at]?.length ?? 0) + 1;
  return length;
}

function sameBlock(a: Block, b: Block): boolean {
  return a.is === b.is && JSON.stringify(a) === JSON.stringify(b);
}
