/** A tool opened: its texts, its changes as diffs, and the rest of what its driver told. */

import { useLanguage } from "../layout/context";
import { DiffView } from "./diff-view";
import { linesOfPatch, linesOfTexts } from "./diff";
import { BoundedText, JsonView } from "./json-view";
import { partsOf, restOf, type Part } from "./tool-words";

export function ToolDetails({ details }: { readonly details: Readonly<Record<string, unknown>> }) {
  const { words } = useLanguage();
  const parts = partsOf(details);
  const rest = restOf(details);
  const hasRest = Object.keys(rest).length > 0;
  if (parts.length === 0 && !hasRest) return <p class="note">{words["tool.noDetails"]}</p>;
  return (
    <>
      {parts.map((part, at) => (
        <PartView key={at} part={part} />
      ))}
      {hasRest && <JsonView value={rest} />}
    </>
  );
}

function PartView({ part }: { readonly part: Part }) {
  switch (part.is) {
    case "text":
      return <BoundedText text={part.text} />;
    case "diff":
      return <DiffView path={part.path} lines={linesOfTexts(part.before ?? "", part.after)} />;
    case "patch":
      return <DiffView path={part.path} lines={linesOfPatch(part.patch)} />;
  }
}
