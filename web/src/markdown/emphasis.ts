/**
 * Rows of `*`, `_` and `~`: which of them open, which close, and what they make of what stands
 * between. The rules are CommonMark's, and for Chinese, Japanese and Korean text those
 * that its writers expect.
 */

import type { Chain, Link } from "./chain";
import type { Inline } from "./syntax";

/** A row of equal signs, and what it may do. */
export interface Run {
  readonly link: Link;
  readonly sign: string;
  /** Signs that are not used yet. */
  count: number;
  readonly length: number;
  readonly opens: boolean;
  readonly closes: boolean;
}

const SPACE = /^[\s\u00a0]?$/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;
/** Scripts without spaces between words: their signs stand as near to a word as its letters do. */
const UNSPACED = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{3ffff}]/u;

/** How a row of signs stands to the character before and after it. */
export function runAt(link: Link, sign: string, length: number, before: string, after: string): Run {
  const spaceAfter = SPACE.test(after);
  const spaceBefore = SPACE.test(before);
  const signAfter = PUNCTUATION.test(after) && !UNSPACED.test(after);
  const signBefore = PUNCTUATION.test(before) && !UNSPACED.test(before);
  const left = !spaceAfter && (!signAfter || spaceBefore || signBefore || UNSPACED.test(before));
  const right = !spaceBefore && (!signBefore || spaceAfter || signAfter || UNSPACED.test(after));
  const within = sign === "_";
  return {
    link,
    sign,
    count: length,
    length,
    opens: left && (!within || !right || signBefore),
    closes: right && (!within || !left || signAfter),
  };
}

/** The rule of three: rows that both open and close must not add up to a multiple of it. */
function fits(open: Run, close: Run): boolean {
  if (open.sign !== close.sign || !open.opens) return false;
  // One sign alone stands for "about" or "to" more often than for a mistake.
  if (open.sign === "~") return open.length === 2 && close.length === 2;
  const both = (open.closes || close.opens) && (open.length + close.length) % 3 === 0;
  return !both || (open.length % 3 === 0 && close.length % 3 === 0);
}

function nodeOf(sign: string, used: number, inline: readonly Inline[]): Inline {
  return { is: sign === "~" ? "struck" : used === 2 ? "strong" : "emphasis", inline };
}

/** What decides whether two rows can fit: below a row where none of its kind opened, none will. */
function kindOf(run: Run): string {
  return `${run.sign}${run.length % 3}${run.opens ? "o" : ""}${run.sign === "~" ? run.length : ""}`;
}

/** Pairs the rows from `from` on; what finds no partner stays text. */
export function pair(chain: Chain, runs: Run[], from: number): void {
  const bottoms = new Map<string, number>();
  const open: Run[] = [];
  for (const close of runs.slice(from)) {
    while (close.closes && close.count > 0) {
      const kind = kindOf(close);
      const bottom = bottoms.get(kind) ?? 0;
      let at = open.length - 1;
      while (at >= bottom && !fits(open[at] as Run, close)) at -= 1;
      const opener = at >= bottom ? open[at] : undefined;
      if (opener === undefined) {
        bottoms.set(kind, open.length);
        break;
      }
      // Rows between the two are text now.
      open.length = at + 1;
      for (const [other, depth] of bottoms) if (depth > open.length) bottoms.set(other, open.length);
      const used = opener.sign === "~" ? close.count : Math.min(2, opener.count, close.count);
      chain.wrap(opener.link, close.link, (inner) => nodeOf(opener.sign, used, inner));
      take(chain, opener, used);
      take(chain, close, used);
      if (opener.count === 0) open.pop();
    }
    if (close.opens && close.count > 0) open.push(close);
  }
  runs.length = from;
}

function take(chain: Chain, run: Run, used: number): void {
  run.count -= used;
  run.link.text = run.sign.repeat(run.count);
  if (run.count === 0) chain.remove(run.link);
}
