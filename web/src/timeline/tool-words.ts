/**
 * Reads a tool's details, which every driver words its own way: a title for the line, texts and
 * diffs to show, and what is left. It refuses to know which CLI they came from.
 */

import { isRecord, textAt } from "../store/facts";
import type { Tool } from "../store/state";

type Details = Readonly<Record<string, unknown>>;

/** One thing to show of a tool. */
export type Part =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "diff"; readonly path: string; readonly before: string | null; readonly after: string }
  | { readonly is: "patch"; readonly path: string; readonly patch: string };

const NAMES = ["title", "command", "toolName", "tool", "name", "itemType"];
const SHOWN = new Set([
  ...NAMES,
  "server",
  "status",
  "kind",
  "toolCallId",
  "toolUseId",
  "itemId",
  "content",
  "changes",
  "diff",
  "output",
  "aggregatedOutput",
  "rawOutput",
]);
const OUTPUTS = ["output", "aggregatedOutput", "rawOutput"];

/** One line that says what the tool does. */
export function titleOf(tool: Tool, unnamed: string): string {
  const { details } = tool;
  for (const key of NAMES) {
    const text = textAt(details, key)?.trim();
    if (text === undefined || text === "") continue;
    const server = key === "tool" || key === "toolName" ? textAt(details, "server") : null;
    const line = text.replace(/\s+/gu, " ").slice(0, 200);
    return server === null ? line : `${server} ${line}`;
  }
  return unnamed;
}

function partOf(item: unknown): Part | null {
  if (typeof item === "string") return { is: "text", text: item };
  if (!isRecord(item)) return null;
  const nested = item["content"];
  if (isRecord(nested)) return partOf(nested);
  const path = textAt(item, "path") ?? "";
  const patch = textAt(item, "diff") ?? textAt(item, "patch");
  if (patch !== null) return { is: "patch", path, patch };
  const after = textAt(item, "newText");
  if (after !== null) return { is: "diff", path, before: textAt(item, "oldText"), after };
  const text = textAt(item, "text");
  return text === null ? null : { is: "text", text };
}

function listAt(details: Details, key: string): readonly unknown[] {
  const value = details[key];
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** What there is to show of a tool beyond its title, in the order it was told. */
export function partsOf(details: Details): readonly Part[] {
  const items = [...listAt(details, "content"), ...listAt(details, "changes")];
  const parts = items.map(partOf).filter((part) => part !== null);
  const diff = textAt(details, "diff");
  if (diff !== null) parts.push({ is: "patch", path: textAt(details, "path") ?? "", patch: diff });
  for (const key of OUTPUTS) {
    const output = details[key];
    if (typeof output === "string" && output !== "") parts.push({ is: "text", text: output });
    else if (isRecord(output)) parts.push({ is: "text", text: JSON.stringify(output, null, 2) });
  }
  const command = textAt(details, "command");
  if (command !== null && textAt(details, "title") !== null) parts.unshift({ is: "text", text: command });
  return parts;
}

/** The details that neither title nor parts show. */
export function restOf(details: Details): Details {
  return Object.fromEntries(
    Object.entries(details).filter(([key, value]) => !SHOWN.has(key) && value !== null && value !== ""),
  );
}
