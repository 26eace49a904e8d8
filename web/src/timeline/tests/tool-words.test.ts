import { describe, expect, test } from "vitest";
import type { Tool } from "../../store/state";
import { partsOf, restOf, titleOf } from "../tool-words";

const tool = (details: Record<string, unknown>): Tool => ({
  key: "k",
  status: "completed",
  startedAt: null,
  endedAt: null,
  details,
  seq: 1,
});

describe("a tool's details", () => {
  test.each([
    [{ title: "Edit  a.rs\n now" }, "Edit a.rs now"],
    [{ itemType: "mcpToolCall", server: "groupx", tool: "send" }, "groupx send"],
    [{ toolName: "Bash", status: "completed" }, "Bash"],
    [{ command: "ls -la" }, "ls -la"],
    [{ title: "" }, "tool"],
    [{ title: 7 }, "tool"],
  ])("%j make the title %j", (details, title) => {
    expect(titleOf(tool(details), "tool")).toBe(title);
  });

  test("hold texts and diffs, in the shapes that drivers use", () => {
    const parts = partsOf({
      content: [
        { type: "content", content: { type: "text", text: "out" } },
        { type: "text", text: "more" },
        { type: "diff", path: "a.rs", oldText: null, newText: "b" },
        { type: "terminal", terminalId: 3 },
        null,
      ],
      changes: [{ path: "c.rs", kind: { type: "update" }, diff: "@@\n-a\n+b" }],
      rawOutput: { ok: true },
    });
    expect(parts.map((part) => part.is)).toEqual(["text", "text", "diff", "patch", "text"]);
  });

  test("lose nothing that the page has no words for", () => {
    expect(restOf({ title: "t", status: "completed", exitCode: 3, cwd: "/x", nothing: null })).toEqual({
      exitCode: 3,
      cwd: "/x",
    });
  });
});
