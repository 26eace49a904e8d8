import { describe, expect, test } from "vitest";
import { settled, withReport, type ToolReport } from "../tools";

const report = (more: Partial<ToolReport>): ToolReport => ({
  callId: "c1",
  over: false,
  details: {},
  at: "2027-01-01T00:00:00.000Z",
  seq: null,
  ...more,
});

describe("the tools of a Turn", () => {
  test("are one entry for start and end", () => {
    const tools = withReport(
      withReport([], report({ details: { title: "ls" } })),
      report({ over: true, details: { status: "completed", output: "a" } }),
    );
    expect(tools).toHaveLength(1);
    expect(tools[0]).toMatchObject({ status: "completed", details: { title: "ls", output: "a" } });
  });

  test.each([
    ["failed", "failed"],
    ["declined", "failed"],
    ["cancelled", "cancelled"],
    ["a word of next year", "completed"],
  ])("read the status %j as %s", (word, status) => {
    expect(withReport([], report({ over: true, details: { status: word } }))[0]?.status).toBe(status);
  });

  test("without an id pair each end with the open start", () => {
    const bare = (more: Partial<ToolReport>) => report({ callId: null, ...more });
    const tools = [bare({}), bare({ over: true }), bare({}), bare({ over: true })].reduce(withReport, []);
    expect(tools.map((tool) => tool.status)).toEqual(["completed", "completed"]);
  });

  test("that were recorded replace what was seen live", () => {
    const live = withReport([], report({ details: { title: "l", early: true } }));
    const both = withReport(live, report({ seq: 9, details: { title: "ls" } }));
    expect(both[0]?.details).toEqual({ title: "ls" });
    expect(settled(withReport(both, report({ callId: "never recorded" })))).toHaveLength(1);
  });

  test("do not run on when the Turn is over", () => {
    expect(settled(withReport([], report({})))[0]?.status).toBe("cancelled");
  });
});
