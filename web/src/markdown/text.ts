/** Characters that stand for others: backslash escapes and the entities that people write. */

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  times: "×",
  deg: "°",
  plusmn: "±",
  larr: "←",
  uarr: "↑",
  rarr: "→",
  darr: "↓",
  harr: "↔",
  le: "≤",
  ge: "≥",
  ne: "≠",
  euro: "€",
  pound: "£",
  yen: "¥",
  sect: "§",
  para: "¶",
  check: "✓",
};

/** An entity at a place; sticky. */
export const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,31}));/uy;

/** The characters that a backslash makes literal. */
export const ESCAPABLE = /[!-/:-@[-`{-~]/u;

function codePoint(value: number): string {
  return value === 0 || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)
    ? "\ufffd"
    : String.fromCodePoint(value);
}

/** What an entity stands for; null when it is none that is known. */
export function entity(match: RegExpExecArray): string | null {
  const [, decimal, hex, name] = match;
  if (decimal !== undefined) return codePoint(Number(decimal));
  if (hex !== undefined) return codePoint(Number.parseInt(hex, 16));
  return name !== undefined && Object.hasOwn(NAMED, name) ? (NAMED[name] ?? null) : null;
}

/** A text with its escapes and entities replaced. */
export function unescaped(text: string): string {
  if (!text.includes("\\") && !text.includes("&")) return text;
  let plain = "";
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    const next = text[at + 1] ?? "";
    if (sign === "\\" && ESCAPABLE.test(next)) {
      plain += next;
      at += 1;
      continue;
    }
    if (sign === "&") {
      ENTITY.lastIndex = at;
      const match = ENTITY.exec(text);
      const meant = match === null ? null : entity(match);
      if (match !== null && meant !== null) {
        plain += meant;
        at += match[0].length - 1;
        continue;
      }
    }
    plain += sign;
  }
  return plain;
}
