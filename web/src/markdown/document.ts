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

export interface Document {
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly references: References;
  /** Where the last block that may still change begins, and how many pieces stand before it. */
  readonly openAt: number;
  readonly settled: number;
}

const EMPTY: Document = { text: "", pieces: [], references: new Map(), openAt: 0, settled: 0 };

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
  const found: References = new Map(before.references);
  const placed = readBlocks(lines, found);
  // The same targets stay the same object, so that nothing that uses them is drawn again.
  const references = found.size === before.references.size ? before.references : found;
  const kept = before.pieces.slice(0, before.settled);
  const fresh = placed.map(({ block }, at): Piece => {
    const key = before.settled + at;
    const known = before.pieces[key];
    // An unchanged block stays the same object, so that it is not drawn again.
    return known !== undefined && at < placed.length - 1 && sameBlock(known.block, block) ? known : { key, block };
  });
  const last = lastSettling(lines, placed.map(({ line }) => line));
  return {
    text,
    pieces: [...kept, ...fresh],
    references,
    openAt: before.openAt + lengthOf(lines, placed[last]?.line ?? 0),
    settled: before.settled + last,
  };
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
