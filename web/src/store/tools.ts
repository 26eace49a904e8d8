/**
 * The tools of one Turn: merges what was seen live with what was recorded, whichever page of
 * history brings it. It refuses to know what a tool is.
 */

import type { Tool, ToolStatus } from "./state";

/** One report on a tool call. */
export interface ToolReport {
  readonly callId: string | null;
  readonly over: boolean;
  readonly details: Readonly<Record<string, unknown>>;
  readonly at: string;
  /** Null for a live report. */
  readonly seq: number | null;
}

const FAILED = new Set(["failed", "error", "declined", "rejected"]);
const CANCELLED = new Set(["cancelled", "canceled", "interrupted"]);

function statusOf(report: ToolReport): ToolStatus {
  const word = report.details["status"];
  if (typeof word === "string") {
    if (FAILED.has(word)) return "failed";
    if (CANCELLED.has(word)) return "cancelled";
  }
  return report.over ? "completed" : "running";
}

function fresh(key: string, report: ToolReport): Tool {
  return {
    key,
    status: statusOf(report),
    startedAt: report.over ? null : report.at,
    endedAt: report.over ? report.at : null,
    details: report.details,
    seq: report.seq,
  };
}

/** A report without a call id belongs to the newest call that still runs and has none either. */
function keyOf(tools: readonly Tool[], report: ToolReport): string {
  if (report.callId !== null) return report.callId;
  const open = report.over
    ? tools.findLast((tool) => tool.key.startsWith("#") && tool.status === "running")
    : undefined;
  return open?.key ?? `#${report.seq ?? tools.length}`;
}

function merged(tool: Tool, report: ToolReport): Tool {
  // The first record is the truth; what was seen live before it is the same told earlier.
  if (report.seq !== null && tool.seq === null) return { ...fresh(tool.key, report) };
  const older = report.seq !== null && tool.seq !== null && report.seq < tool.seq;
  return {
    key: tool.key,
    status: older ? tool.status : statusOf(report),
    startedAt: report.over ? tool.startedAt : older ? report.at : (tool.startedAt ?? report.at),
    endedAt: report.over ? report.at : tool.endedAt,
    details: older ? { ...report.details, ...tool.details } : { ...tool.details, ...report.details },
    seq: older ? report.seq : tool.seq,
  };
}

/** The tools with one more report merged in. */
export function withReport(tools: readonly Tool[], report: ToolReport): readonly Tool[] {
  const key = keyOf(tools, report);
  const at = tools.findIndex((tool) => tool.key === key);
  const known = tools[at];
  if (known) return tools.with(at, merged(known, report));
  const tool = fresh(key, report);
  const before =
    report.seq === null
      ? -1
      : tools.findIndex((other) => other.seq !== null && other.seq > (report.seq ?? 0));
  return before < 0 ? [...tools, tool] : tools.toSpliced(before, 0, tool);
}

/** What is left of the tools when the Turn is over: the records, or, without any, what was seen. */
export function settled(tools: readonly Tool[]): readonly Tool[] {
  const recorded = tools.filter((tool) => tool.seq !== null);
  const kept = recorded.length > 0 ? recorded : tools;
  if (kept === tools && tools.every((tool) => tool.status !== "running")) return tools;
  return kept.map((tool) => (tool.status === "running" ? { ...tool, status: "cancelled" } : tool));
}
