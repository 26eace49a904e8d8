/**
 * Reads a text's lines into blocks. It owns the structure only; what stands within a line is read by
 * `inline`. Every line is looked at a bounded number of times, so that no text takes long.
 */

import {
  closesFence,
  dedent,
  fenceAt,
  headingAt,
  indentOf,
  interrupts,
  isBlank,
  isRule,
  markerAt,
  quoted,
  textOf,
  underlineLevel,
  type Marker,
} from "./lines";
import { definitionsIn } from "./references";
import type { Align, Block, Item, References } from "./syntax";
import { rowOf, tableAt } from "./tables";

/** Deeper than this, quotes and lists are shown as the text they are. */
const DEEPEST = 16;

/** A block with the line that it begins on. */
export interface Placed {
  readonly block: Block;
  readonly line: number;
}

/** The blocks of `lines`, with the link targets they define added to `references`. */
export function readBlocks(lines: readonly string[], references: References, depth = 0): readonly Placed[] {
  return new Reader(lines, references, depth).read();
}

function innerBlocks(lines: readonly string[], references: References, depth: number): readonly Block[] {
  return readBlocks(lines, references, depth + 1).map(({ block }) => block);
}

class Reader {
  private at = 0;
  private readonly placed: Placed[] = [];

  constructor(
    private readonly lines: readonly string[],
    private readonly references: References,
    private readonly depth: number,
  ) {}

  read(): readonly Placed[] {
    while (this.at < this.lines.length) {
      const line = this.line(this.at);
      if (isBlank(line)) {
        this.at += 1;
        continue;
      }
      const from = this.at;
      for (const block of this.blocksAt(line)) this.placed.push({ block, line: from });
    }
    return this.placed;
  }

  private line(at: number): string {
    return this.lines[at] ?? "";
  }

  /** The block that begins here, and what a paragraph turned out to hold before it. */
  private blocksAt(line: string): readonly Block[] {
    if (indentOf(line) >= 4) return [this.indentedCode()];
    const nested = this.depth < DEEPEST;
    const heading = headingAt(line);
    if (heading !== null) {
      this.at += 1;
      return [{ is: "heading", ...heading }];
    }
    if (fenceAt(line) !== null) return [this.fencedCode(line)];
    if (isRule(line)) {
      this.at += 1;
      return [{ is: "rule" }];
    }
    if (nested && quoted(line) !== null) return [this.quote()];
    const marker = nested ? markerAt(line) : null;
    if (marker !== null) return [this.list(marker)];
    const align = tableAt(line, this.line(this.at + 1));
    if (align !== null) return [this.table(align)];
    return this.paragraph();
  }

  private indentedCode(): Block {
    const from = this.at;
    let end = from;
    while (this.at < this.lines.length) {
      const line = this.line(this.at);
      if (indentOf(line) >= 4 && !isBlank(line)) end = this.at + 1;
      else if (!isBlank(line)) break;
      this.at += 1;
    }
    this.at = end;
    const text = this.lines.slice(from, end).map((line) => dedent(line, 4));
    return { is: "code", language: "", text: text.join("\n") };
  }

  private fencedCode(line: string): Block {
    const fence = fenceAt(line);
    const text: string[] = [];
    this.at += 1;
    for (; this.at < this.lines.length && fence !== null; this.at += 1) {
      const inner = this.line(this.at);
      if (closesFence(inner, fence)) {
        this.at += 1;
        break;
      }
      text.push(dedent(inner, Math.min(fence.indent, indentOf(inner))));
    }
    return { is: "code", language: fence?.info.split(/\s/u)[0] ?? "", text: text.join("\n") };
  }

  private quote(): Block {
    const inner: string[] = [];
    let lazy = false;
    for (; this.at < this.lines.length; this.at += 1) {
      const line = this.line(this.at);
      const rest = quoted(line);
      if (rest === null && (!lazy || isBlank(line) || interrupts(line))) break;
      inner.push(rest ?? textOf(line));
      // Only the text of a paragraph goes on without its sign.
      lazy = rest === null ? lazy : endsInParagraph(rest);
    }
    return { is: "quote", blocks: innerBlocks(inner, this.references, this.depth) };
  }

  private list(first: Marker): Block {
    const items: Item[] = [];
    let loose = false;
    let marker: Marker | null = first;
    while (marker !== null && marker.kind === first.kind) {
      const { lines, gap } = this.itemLines(marker);
      const item = this.item(lines);
      const nextMarker = this.at < this.lines.length ? markerAt(this.line(this.at)) : null;
      const goesOn = nextMarker !== null && nextMarker.kind === first.kind;
      loose = loose || item.spread || (gap && goesOn);
      items.push(item.item);
      marker = nextMarker;
    }
    return { is: "list", start: first.number, tight: !loose, items };
  }

  /** The lines of one item without its indentation, and whether blank lines follow it. */
  private itemLines(marker: Marker): { readonly lines: readonly string[]; readonly gap: boolean } {
    const lines = [marker.rest];
    let lazy = endsInParagraph(marker.rest);
    let blanks = 0;
    this.at += 1;
    for (; this.at < this.lines.length; this.at += 1) {
      const line = this.line(this.at);
      if (isBlank(line)) {
        blanks += 1;
        continue;
      }
      // An item that begins with nothing ends with the next blank line.
      const ended = blanks > 0 && lines.length === 1 && isBlank(marker.rest);
      const inside = !ended && indentOf(line) >= marker.width;
      if (!inside && (blanks > 0 || !lazy || interrupts(line) || markerAt(line) !== null)) break;
      for (; blanks > 0; blanks -= 1) lines.push("");
      const text = inside ? dedent(line, marker.width) : textOf(line);
      lines.push(text);
      lazy = inside ? endsInParagraph(text) || (lazy && indentOf(text) >= 4) : lazy;
    }
    return { lines, gap: blanks > 0 };
  }

  private item(lines: readonly string[]): { readonly item: Item; readonly spread: boolean } {
    const task = /^\[([ xX])\](?=[ \t])/u.exec(lines[0] ?? "");
    const done = task === null ? null : task[1] !== " ";
    const own =
      task === null ? lines : [(lines[0] ?? "").slice(task[0].length).trimStart(), ...lines.slice(1)];
    const placed = readBlocks(own, this.references, this.depth + 1);
    const spread = placed.some(({ line }, at) => at > 0 && isBlank(own[line - 1] ?? ""));
    return { item: { blocks: placed.map(({ block }) => block), done }, spread };
  }

  private table(align: readonly Align[]): Block {
    const head = rowOf(this.line(this.at), align.length);
    const rows: (readonly string[])[] = [];
    this.at += 2;
    for (; this.at < this.lines.length; this.at += 1) {
      const line = this.line(this.at);
      if (isBlank(line) || interrupts(line)) break;
      rows.push(rowOf(line, align.length));
    }
    return { is: "table", align, head, rows };
  }

  private paragraph(): readonly Block[] {
    const text = [this.line(this.at).trimStart()];
    this.at += 1;
    for (; this.at < this.lines.length; this.at += 1) {
      const line = this.line(this.at);
      if (isBlank(line)) break;
      const level = underlineLevel(line);
      if (level !== null) {
        const source = this.withoutDefinitions(text);
        if (source !== "") {
          this.at += 1;
          return [{ is: "heading", level, source }];
        }
      }
      if (this.depth < DEEPEST ? interrupts(line) : fenceAt(line) !== null) break;
      if (tableAt(line, this.line(this.at + 1)) !== null) break;
      text.push(line.trimStart());
    }
    const source = this.withoutDefinitions(text);
    return source === "" ? [] : [{ is: "paragraph", source }];
  }

  private withoutDefinitions(text: readonly string[]): string {
    return definitionsIn(text, this.references).join("\n").trimEnd();
  }
}

/** Whether the text of a paragraph may go on after this line without any sign. */
function endsInParagraph(line: string): boolean {
  let inner = line;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    if (
      isBlank(inner) ||
      fenceAt(inner) !== null ||
      headingAt(inner) !== null ||
      isRule(inner) ||
      indentOf(inner) >= 4
    )
      return false;
    const deeper: string | undefined = quoted(inner) ?? markerAt(inner)?.rest;
    if (deeper === undefined) return true;
    inner = deeper;
  }
  return false;
}
