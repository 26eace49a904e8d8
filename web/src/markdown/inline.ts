/**
 * Reads what stands within a paragraph: code, emphasis, links. The rules are CommonMark's, with bare
 * addresses and struck text as people write them; markup stays text. Linear in its length but for
 * bounded looks ahead.
 */

import { Chain, type Link } from "./chain";
import { pair, runAt, type Run } from "./emphasis";
import { bareAt, pointedAt, targetAt } from "./links";
import { labelOf, type Inline, type Reference, type References } from "./syntax";
import { entity, ENTITY, ESCAPABLE } from "./text";

interface Bracket {
  readonly link: Link;
  readonly image: boolean;
  /** Where its text begins. */
  readonly from: number;
  /** How many rows of signs stand before it. */
  readonly runs: number;
  /** A link must not hold a link. */
  active: boolean;
}

const SPECIAL = /[\\`*_~[\]!<&\n:w]/u;
const PLAIN = /[^\\`*_~[\]!<&\nhHwW]+/uy;
/** In Chinese an address follows its sentence without a space. */
const WORD = /[A-Za-z0-9_]/u;

/** The inline nodes of a text, with `references` for its labels. */
export function readInline(source: string, references: References): readonly Inline[] {
  return SPECIAL.test(source) ? new InlineReader(source, references).read() : [{ is: "text", text: source }];
}

class InlineReader {
  private readonly chain = new Chain();
  private readonly runs: Run[] = [];
  private readonly brackets: Bracket[] = [];
  private readonly ticks: Ticks;
  private at = 0;

  constructor(
    private readonly source: string,
    private readonly references: References,
  ) {
    this.ticks = new Ticks(source);
  }

  read(): readonly Inline[] {
    while (this.at < this.source.length) this.step();
    pair(this.chain, this.runs, 0);
    return this.chain.nodes();
  }

  private text(text: string): void {
    this.chain.push({ is: "text", text });
    this.at += text.length;
  }

  private step(): void {
    PLAIN.lastIndex = this.at;
    const plain = PLAIN.exec(this.source);
    if (plain !== null) return this.text(plain[0]);
    const sign = this.source[this.at] ?? "";
    switch (sign) {
      case "\\":
        return this.escape();
      case "`":
        return this.code();
      case "*":
      case "_":
      case "~":
        return this.run(sign);
      case "[":
        return this.open(false);
      case "!":
        return this.source[this.at + 1] === "[" ? this.open(true) : this.text(sign);
      case "]":
        return this.close();
      case "<":
        return this.pointed();
      case "&":
        return this.entity();
      case "\n":
        this.chain.push({ is: "break" });
        this.at += 1;
        return undefined;
      default:
        return this.bare(sign);
    }
  }

  private escape(): void {
    const next = this.source[this.at + 1] ?? "";
    if (next === "\n") this.at += 1;
    else if (ESCAPABLE.test(next)) {
      this.at += 1;
      this.text(next);
    } else this.text("\\");
  }

  private code(): void {
    const from = this.at;
    let length = 1;
    while (this.source[from + length] === "`") length += 1;
    const end = this.ticks.next(from + length, length);
    if (end === null) return this.text("`".repeat(length));
    const inner = this.source.slice(from + length, end).replaceAll("\n", " ");
    const padded = inner.startsWith(" ") && inner.endsWith(" ") && inner.trim() !== "";
    this.chain.push({ is: "code", text: padded ? inner.slice(1, -1) : inner });
    this.at = end + length;
  }

  private run(sign: string): void {
    const from = this.at;
    let length = 1;
    while (this.source[from + length] === sign) length += 1;
    const link = this.chain.push(null, sign.repeat(length));
    this.at += length;
    this.runs.push(runAt(link, sign, length, charBefore(this.source, from), charAt(this.source, this.at)));
  }

  private open(image: boolean): void {
    const link = this.chain.push(null, image ? "![" : "[");
    this.at += image ? 2 : 1;
    this.brackets.push({ link, image, from: this.at, runs: this.runs.length, active: true });
  }

  private close(): void {
    const bracket = this.brackets.pop();
    if (bracket === undefined || !bracket.active) return this.text("]");
    const target = this.target(bracket);
    if (target === null) return this.text("]");
    const { reference, end } = target;
    pair(this.chain, this.runs, bracket.runs);
    this.chain.wrap(bracket.link, null, (inline) =>
      bracket.image
        ? { is: "image", href: reference.href, alt: plainText(inline) }
        : { is: "link", ...reference, inline: withoutLinks(inline) },
    );
    this.chain.remove(bracket.link);
    if (!bracket.image) this.deactivate();
    this.at = end;
  }

  /** No bracket around a link becomes a link itself; below one that is out all are. */
  private deactivate(): void {
    for (let at = this.brackets.length - 1; at >= 0; at -= 1) {
      const outer = this.brackets[at];
      if (outer === undefined || (!outer.image && !outer.active)) return;
      if (!outer.image) outer.active = false;
    }
  }

  /** What the bracket that closes here points to: in brackets after it, or by its label. */
  private target(bracket: Bracket): { readonly reference: Reference; readonly end: number } | null {
    const after = this.at + 1;
    if (this.source[after] === "(") {
      const target = targetAt(this.source, after);
      if (target !== null) return { reference: { href: target.href, title: target.title }, end: target.end };
    }
    if (this.references.size === 0) return null;
    const own = this.source.slice(bracket.from, Math.min(this.at, bracket.from + 1_000));
    const named = /^\[((?:[^\\[\]]|\\.){0,999})\]/u.exec(this.source.slice(after, after + 1_002));
    const label = named === null || named[1] === "" ? own : (named[1] ?? "");
    const reference = this.references.get(labelOf(label));
    return reference === undefined ? null : { reference, end: after + (named?.[0].length ?? 0) };
  }

  private pointed(): void {
    const br = /<br[ \t]*\/?>/iuy;
    br.lastIndex = this.at;
    const broken = br.exec(this.source);
    if (broken !== null) {
      this.chain.push({ is: "break" });
      this.at += broken[0].length;
      return;
    }
    this.address(pointedAt(this.source, this.at), "<");
  }

  private bare(sign: string): void {
    const within = WORD.test(charBefore(this.source, this.at));
    this.address(within ? null : bareAt(this.source, this.at), sign);
  }

  private address(
    found: { readonly href: string; readonly text: string; readonly end: number } | null,
    sign: string,
  ): void {
    if (found === null) return this.text(sign);
    this.chain.push({ is: "link", href: found.href, title: "", inline: [{ is: "text", text: found.text }] });
    this.at = found.end;
  }

  private entity(): void {
    ENTITY.lastIndex = this.at;
    const match = ENTITY.exec(this.source);
    const meant = match === null ? null : entity(match);
    if (match === null || meant === null) return this.text("&");
    this.chain.push({ is: "text", text: meant });
    this.at += match[0].length;
  }
}

/** A bare address within a link is only its text. */
function withoutLinks(inline: readonly Inline[]): readonly Inline[] {
  return inline.flatMap((node) => (node.is === "link" ? node.inline : [node]));
}

/** Where rows of backticks stand, by length, so that looking for a partner is quick. */
class Ticks {
  private places: Map<number, number[]> | null = null;

  constructor(private readonly source: string) {}

  /** The first row of exactly `length` at or after `from`. */
  next(from: number, length: number): number | null {
    const places = (this.places ??= this.find()).get(length);
    if (places === undefined) return null;
    // Asked for in ascending order: what lies behind is never needed again.
    while (places.length > 0 && (places.at(-1) ?? 0) < from) places.pop();
    return places.at(-1) ?? null;
  }

  private find(): Map<number, number[]> {
    const places = new Map<number, number[]>();
    for (const { index, 0: row } of this.source.matchAll(/`+/gu)) {
      const known = places.get(row.length);
      if (known === undefined) places.set(row.length, [index]);
      else known.push(index);
    }
    for (const known of places.values()) known.reverse();
    return places;
  }
}

/** The whole character before a place, also when it takes two code units. */
function charBefore(text: string, at: number): string {
  if (at === 0) return "";
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(at - 2, at) : (text[at - 1] ?? "");
}

function charAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

/** What is left of nodes without their form. */
export function plainText(inline: readonly Inline[]): string {
  return inline
    .map((node) => {
      switch (node.is) {
        case "text":
        case "code":
          return node.text;
        case "image":
          return node.alt;
        case "break":
          return " ";
        default:
          return plainText(node.inline);
      }
    })
    .join("");
}
