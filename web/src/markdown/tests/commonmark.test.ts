import spec from "commonmark-spec";
import { describe, expect, test } from "vitest";
import { readBlocks } from "../blocks";
import type { References } from "../syntax";
import { blocksHtml } from "./html";

/** Markup in a text is text here: what these sections are about does not exist. */
const MARKUP = new Set(["HTML blocks", "Raw HTML"]);

/** Single examples where the page deliberately does less, by what it does not do. */
const LESS = new Map<number, string>([
  ...[21, 31, 344, 475, 476, 477, 491, 494, 524, 536, 642, 643, 308, 309, 201].map((n): [number, string] => [
    n,
    "markup is text",
  ]),
  ...[25, 32, 33, 34, 503].map((n): [number, string] => [
    n,
    "knows the entities that people write, not all 2,125",
  ]),
  ...[193, 195, 196, 198, 208, 217, 541].map((n): [number, string] => [n, "a definition stands on one line"]),
  ...[602, 608, 611].map((n): [number, string] => [n, "a bare address is a link"]),
  ...[24].map((n): [number, string] => [n, "an info string is shown as written"]),
  [93, "the underline of a heading may go on lazily"],
  [317, "a definition does not make a list loose"],
  [507, "a no-break space ends an address"],
]);

/** The differences that the page does not have: line breaks, titles of pictures, white space. */
function normal(html: string): string {
  return html
    .replaceAll("<br />", "")
    .replace(/(<img [^>]*?) title="[^"]*"/gu, "$1")
    .replace(/[ \t]*\n/gu, "\n")
    .replace(/<(li|p|blockquote)>\s+/gu, "<$1>")
    .replace(/\s+<\/(li|p|blockquote)>/gu, "</$1>")
    .replace(/\n+/gu, "\n")
    .trim();
}

function drawn(markdown: string): string {
  const references: References = new Map();
  const lines = markdown.replace(/\n$/u, "").split("\n");
  const blocks = readBlocks(lines, references).map(({ block }) => block);
  return normal(blocksHtml(blocks, references));
}

const sections = new Map<string, (typeof spec.tests)[number][]>();
for (const example of spec.tests) {
  if (MARKUP.has(example.section)) continue;
  sections.set(example.section, [...(sections.get(example.section) ?? []), example]);
}

describe.each([...sections])("CommonMark: %s", (_, examples) => {
  test.each(examples.map((example) => [example.number, example] as const))(
    "example %i",
    (number, { markdown, html }) => {
      const unarrowed = (text: string) => text.replaceAll("→", "\t");
      if (LESS.has(number)) expect(drawn(unarrowed(markdown))).not.toBe(normal(unarrowed(html)));
      else expect(drawn(unarrowed(markdown))).toBe(normal(unarrowed(html)));
    },
  );
});
