import { describe, expect, test } from "vitest";
import { documentOf, grown, type Document } from "../document";
import { firstWords } from "../first-words";

const TEXT = `# Head

A paragraph with **bold**,
on two lines.
===

1. one
   - inner

     far in
2. two

2. three
| a | b |
|---|---|
| 1 | 2 |

> quoted
lazy

\`\`\`rust
fn main() {

}
\`\`\`
- [x] done
- [ ] open

---
[ref]: https://example.org "T"

After [ref].
`;

const blocksOf = (document: Document) => document.pieces.map(({ block }) => block);

describe("a text that grows", () => {
  test.each([1, 2, 3, 7, 40])("is at every moment what it would be at once: %i characters a time", (step) => {
    let document = documentOf("");
    for (let end = step; end < TEXT.length + step; end += step) {
      document = grown(document, TEXT.slice(0, end));
      expect(blocksOf(document)).toEqual(blocksOf(documentOf(TEXT.slice(0, end))));
    }
    expect(document.references).toEqual(documentOf(TEXT).references);
  });

  test("keeps what stands above its last block, untouched", () => {
    const before = grown(documentOf(""), "one\n\ntwo\n\nthr");
    const after = grown(before, "one\n\ntwo\n\nthree");
    expect(after.pieces[0]?.block).toBe(before.pieces[0]?.block);
    expect(after.pieces[1]?.block).toBe(before.pieces[1]?.block);
    expect(after.references).toBe(before.references);
  });

  test("reads only its open end again", () => {
    const paragraph = "word ".repeat(20);
    let document = documentOf(`${paragraph}\n\n`.repeat(20_000));
    const began = performance.now();
    for (let n = 0; n < 40; n += 1) document = grown(document, `${document.text}x`);
    // 40 times two million characters would take seconds.
    expect(performance.now() - began).toBeLessThan(1_500);
  });

  test("is made anew when the text is another one", () => {
    const document = grown(documentOf("# one"), "# two");
    expect(blocksOf(document)).toEqual([{ is: "heading", level: 1, source: "two" }]);
  });
});

test.each([
  ["The lane loses its `wake`: **once**.\n\nMore.", "The lane loses its wake: once. More."],
  ["# Head\n- one\n- two", "Head one two"],
  ["```rust\nfn main() {}\n```", "fn main() {}"],
  ["x".repeat(900), `${"x".repeat(139)}…`],
  ["", ""],
])("the first words of %j are %j", (text, words) => {
  expect(firstWords(text)).toBe(words);
});
