/** Link targets that a text defines at the start of a paragraph: `[label]: target "title"`. */

import { labelOf, type References } from "./syntax";
import { unescaped } from "./text";

const DEFINITION =
  /^\[((?:[^\\[\]]|\\.){1,999})\]:[ \t]*(?:<([^<>\n]*)>|([^\s<]\S*))(?:[ \t]+(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|\(((?:[^()\\]|\\.)*)\)))?[ \t]*$/u;

/** The lines after the definitions at their start, which are added to `references`. */
export function definitionsIn(lines: readonly string[], references: References): readonly string[] {
  let at = 0;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const match = line.startsWith("[") && line.length < 4_000 ? DEFINITION.exec(line) : null;
    if (match === null) break;
    const [, label = "", pointed, bare, ...titles] = match;
    const key = labelOf(label);
    const title = titles.find((each) => each !== undefined) ?? "";
    if (key === "") break;
    if (!references.has(key))
      references.set(key, { href: unescaped(pointed ?? bare ?? ""), title: unescaped(title) });
  }
  return lines.slice(at);
}
