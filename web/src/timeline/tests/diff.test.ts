import { describe, expect, test } from "vitest";
import { linesOfPatch, linesOfTexts, type DiffLine } from "../diff";

const short = (lines: readonly DiffLine[]) =>
  lines.map(({ is, text }) => `${{ same: " ", added: "+", removed: "-", skipped: "…" }[is]}${text}`);

describe("a diff", () => {
  test("shows what changed and little else", () => {
    const before = Array.from({ length: 20 }, (_, n) => `line ${n}`).join("\n");
    const after = before.replace("line 10", "line ten\nline ten and a half");
    expect(short(linesOfTexts(before, after))).toEqual([
      "…",
      " line 7",
      " line 8",
      " line 9",
      "-line 10",
      "+line ten",
      "+line ten and a half",
      " line 11",
      " line 12",
      " line 13",
      "…",
    ]);
  });

  test("of a new file is all new", () => {
    expect(short(linesOfTexts("", "a\nb\n"))).toEqual(["+a", "+b"]);
  });

  test("of two large texts is bounded in time", () => {
    const text = (salt: string) => Array.from({ length: 50_000 }, (_, n) => `${salt}${n}`).join("\n");
    const began = process.cpuUsage();
    expect(linesOfTexts(text("a"), text("b"))).toHaveLength(100_000);
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(1_000);
  });

  test("that a CLI made itself is read line by line", () => {
    const patch = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n\\ No newline at end of file\n";
    expect(short(linesOfPatch(patch))).toEqual(["…@@ -1,2 +1,2 @@", " same", "-old", "+new"]);
  });
});
