import { describe, expect, test } from "vitest";
import { documentOf } from "../document";
import { readInline } from "../inline";
import { safeHref } from "../links";
import type { Block, Inline } from "../syntax";
import { inlineHtml } from "./html";

const inline = (source: string) => readInline(source, new Map());

/** Texts that make a careless reader slow. */
const LONG: readonly (readonly [string, string])[] = [
  ["open brackets", "[".repeat(50_000)],
  ["brackets with links", "[a](b".repeat(20_000)],
  ["pointed links", "[a](<b".repeat(20_000)],
  ["nested links", `${"[".repeat(20_000)}a${"](b)".repeat(20_000)}`],
  ["open emphasis", "*a ".repeat(50_000)],
  ["closing emphasis", "a* ".repeat(50_000)],
  ["mixed emphasis", "*a_ ".repeat(50_000)],
  ["nested emphasis", `${"*a **a ".repeat(20_000)}${"b** b* ".repeat(20_000)}`],
  ["backticks of every length", Array.from({ length: 600 }, (_, n) => "`".repeat(n + 1)).join(" ")],
  ["deep quotes", `${">".repeat(50_000)}a`],
  ["deep lists", Array.from({ length: 700 }, (_, n) => `${" ".repeat(2 * n)}- a`).join("\n")],
  ["markers in a row", "- ".repeat(50_000)],
  ["entities", "&a".repeat(100_000)],
  ["pointed signs", "<a:".repeat(60_000)],
  ["addresses", "http://".repeat(20_000)],
  ["brackets after an address", `http://a${")".repeat(1_800)} `.repeat(50)],
  ["heading with signs", `# ${" #".repeat(50_000)} b`],
  ["spaces", `a${" ".repeat(200_000)}b`],
  ["table of pipes", `${"|".repeat(50_000)}\n${"|-".repeat(50_000)}`],
  ["definitions", "[a]: b\n".repeat(20_000)],
  ["broken definitions", `[a]: "${'\\"'.repeat(1_500)}\n`.repeat(20)],
  ["one long word", "a".repeat(1_000_000)],
  ["lazy lines", `> a\n${"b\n".repeat(50_000)}`],
];

describe("hostile texts", () => {
  test.each(LONG)("web_05 %s are read in a moment", (_, text) => {
    const began = performance.now();
    const document = documentOf(text);
    for (const { block } of document.pieces) readAll(block);
    expect(performance.now() - began).toBeLessThan(1_500);
  });

  function readAll(block: Block): void {
    if (block.is === "paragraph" || block.is === "heading") inline(block.source);
    if (block.is === "quote") block.blocks.forEach(readAll);
    if (block.is === "list") block.items.forEach((item) => item.blocks.forEach(readAll));
  }
});

describe("addresses", () => {
  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:x",
    "/api/runtime/shutdown",
    "//example.org",
    "relative.md",
    "",
  ])("web_03 %j never becomes one that opens", (href) => {
    expect(safeHref(href)).toBeNull();
  });

  test.each(["https://example.org/a?b#c", "http://127.0.0.1:4310/", "mailto:ada@example.org"])(
    "%s opens",
    (href) => {
      expect(safeHref(href)).toBe(new URL(href).href);
    },
  );

  test("a name and a secret in front of the host are part of what is shown", () => {
    expect(safeHref("https://good.example@evil.example/")).toBe("https://good.example@evil.example/");
  });
});

describe("markup", () => {
  test.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<iframe srcdoc='x'>",
    "<!-- x -->",
    "<svg/onload=alert(1)>",
    "&lt;b&gt;",
  ])("web_03 %s stays text", (source) => {
    const nodes = inline(source);
    expect(nodes.every((node: Inline) => node.is === "text")).toBe(true);
  });

  test("only a line break is taken from it", () => {
    expect(inline("a<br>b<BR/>c").map((node) => node.is)).toEqual(["text", "break", "text", "break", "text"]);
  });
});

describe("what people write", () => {
  test.each([
    [
      "see https://a.example/x_y_z.",
      '<p>see <a href="https://a.example/x_y_z">https://a.example/x_y_z</a>.</p>',
    ],
    ["**https://a.example**", '<p><strong><a href="https://a.example">https://a.example</a></strong></p>'],
    [
      "(https://en.example/w_(x))",
      '<p>(<a href="https://en.example/w_(x)">https://en.example/w_(x)</a>)</p>',
    ],
    ["[https://a.example](https://a.example)", '<p><a href="https://a.example">https://a.example</a></p>'],
    ["参见https://a.example。好", '<p>参见<a href="https://a.example">https://a.example</a>。好</p>'],
    ["参见 https://a.example，好", '<p>参见 <a href="https://a.example">https://a.example</a>，好</p>'],
    ["3~5 and 10~15", "<p>3~5 and 10~15</p>"],
    ["~~gone~~", "<p><del>gone</del></p>"],
    ["snake_case_name and __init__", "<p>snake_case_name and <strong>init</strong></p>"],
    ["2 * 3 * 4", "<p>2 * 3 * 4</p>"],
    ["**注意：**后面", "<p><strong>注意：</strong>后面</p>"],
  ])("%s", (source, html) => {
    expect(`<p>${inlineHtml(inline(source))}</p>`).toBe(html);
  });
});
