/** A text's first words on one line, without their form: for quotes. */

import { plainText, readInline } from "./inline";

const LOOKED_AT = 600;
const SHOWN = 140;

export function firstWords(text: string): string {
  const beginning = text
    .slice(0, LOOKED_AT)
    .replace(/^[ \t]*(?:#{1,6}|>|[-+*]|\d{1,9}[.)]|`{3,}.*)(?:[ \t]+|$)/gmu, "");
  const line = plainText(readInline(beginning, new Map())).replace(/\s+/gu, " ").trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line;
}
