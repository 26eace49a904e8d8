/** The tools of one Turn: one line for all of them, and one for each when it is opened. */

import { elapsed } from "../language/format";
import { useLanguage } from "../layout/context";
import type { Tool } from "../store/state";
import { Fold } from "./fold";
import { ToolDetails } from "./tool-details";
import { titleOf } from "./tool-words";

interface Props {
  readonly turnId: string;
  readonly tools: readonly Tool[];
  readonly over: boolean;
}

export function ToolList({ turnId, tools, over }: Props) {
  const { words } = useLanguage();
  if (tools.length === 0) return null;
  const failed = tools.filter((tool) => tool.status === "failed").length;
  const running = over ? undefined : tools.findLast((tool) => tool.status === "running");
  const summary = (
    <>
      {words["turn.tools"](tools.length, failed)}
      {running !== undefined && <span class="tool-now"> {titleOf(running, words["tool.unnamed"])}</span>}
    </>
  );
  return (
    <Fold foldKey={`${turnId} tools`} summary={summary}>
      <ul class="tools">
        {tools.map((tool) => (
          <li key={tool.key}>
            <ToolLine turnId={turnId} tool={tool} />
          </li>
        ))}
      </ul>
    </Fold>
  );
}

function ToolLine({ turnId, tool }: { readonly turnId: string; readonly tool: Tool }) {
  const { words } = useLanguage();
  const took =
    tool.startedAt !== null && tool.endedAt !== null
      ? Date.parse(tool.endedAt) - Date.parse(tool.startedAt)
      : 0;
  const summary = (
    <span class={`tool tool-${tool.status}`}>
      <span class="tool-title">{titleOf(tool, words["tool.unnamed"])}</span>
      <span class="tool-status">
        {words[`tool.${tool.status}`]}
        {took >= 1000 && ` · ${elapsed(took)}`}
      </span>
    </span>
  );
  return (
    <Fold foldKey={`${turnId} tool ${tool.key}`} summary={summary}>
      <ToolDetails details={tool.details} />
    </Fold>
  );
}
