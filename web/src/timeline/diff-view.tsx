/** Changed lines, told apart by sign as well as by colour. */

import { useLanguage } from "../layout/context";
import type { DiffLine } from "./diff";

const SIGNS: Readonly<Record<DiffLine["is"], string>> = { same: " ", added: "+", removed: "−", skipped: "⋯" };
const MOST = 400;

export function DiffView({ path, lines }: { readonly path: string; readonly lines: readonly DiffLine[] }) {
  const { words, format } = useLanguage();
  return (
    <figure class="diff" aria-label={words["diff.label"](path)}>
      {path !== "" && <figcaption>{path}</figcaption>}
      <pre tabIndex={0}>
        {lines.slice(0, MOST).map((line, at) => (
          <Line key={at} line={line} />
        ))}
      </pre>
      {lines.length > MOST && <p class="cut">{words["tool.cut"](format.count(lines.length - MOST))}</p>}
    </figure>
  );
}

function Line({ line }: { readonly line: DiffLine }) {
  const content = (
    <>
      <span class="diff-sign">{SIGNS[line.is]}</span>
      {line.text}
      {"\n"}
    </>
  );
  const shown = `diff-line diff-${line.is}`;
  if (line.is === "added") return <ins class={shown}>{content}</ins>;
  if (line.is === "removed") return <del class={shown}>{content}</del>;
  return <span class={shown}>{content}</span>;
}
