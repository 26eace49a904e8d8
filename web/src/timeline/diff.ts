/**
 * Differences between two texts, line by line, and the lines of a patch that somebody else made.
 * Bounded: what is too large is shown as all old, then all new.
 */

/** One line of a diff. */
export interface DiffLine {
  readonly is: "same" | "added" | "removed" | "skipped";
  readonly text: string;
}

/** More lines than this on either side are not compared. */
const MOST_LINES = 2_000;
/** Unchanged lines kept around each change. */
const CONTEXT = 3;

function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

/** The lines of a unified diff; what is no part of a hunk is left out. */
export function linesOfPatch(patch: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  for (const line of linesOf(patch)) {
    if (/^(diff |index |--- |\+\+\+ |\\ )/u.test(line)) continue;
    if (line.startsWith("@@")) lines.push({ is: "skipped", text: line });
    else if (line.startsWith("+")) lines.push({ is: "added", text: line.slice(1) });
    else if (line.startsWith("-")) lines.push({ is: "removed", text: line.slice(1) });
    else lines.push({ is: "same", text: line.slice(1) });
  }
  return lines;
}

/** What changed from one text to another, with a little of what did not. */
export function linesOfTexts(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before);
  const now = linesOf(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail += 1;
  const middle = compared(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  const same = (text: string): DiffLine => ({ is: "same", text });
  return folded([...old.slice(0, head).map(same), ...middle, ...old.slice(old.length - tail).map(same)]);
}

/** Longest common subsequence, in the plain quadratic way: both sides are bounded. */
function compared(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const removed = (text: string): DiffLine => ({ is: "removed", text });
  const added = (text: string): DiffLine => ({ is: "added", text });
  if (old.length > MOST_LINES || now.length > MOST_LINES) return [...old.map(removed), ...now.map(added)];
  const width = now.length + 1;
  const common = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    const left = old[i];
    const right = now[j];
    if (left !== undefined && left === right) {
      lines.push({ is: "same", text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left));
      i += 1;
    } else {
      lines.push(added(right ?? ""));
      j += 1;
    }
  }
  return lines;
}

/** Leaves out unchanged lines far from any change. */
function folded(lines: readonly DiffLine[]): readonly DiffLine[] {
  const near = new Uint8Array(lines.length);
  lines.forEach((line, at) => {
    if (line.is !== "same") near.fill(1, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  const kept: DiffLine[] = [];
  lines.forEach((line, at) => {
    if (near[at] === 1) kept.push(line);
    else if (kept.at(-1)?.is !== "skipped") kept.push({ is: "skipped", text: "" });
  });
  return kept;
}
