/** One line that opens to more. What it holds is made only while it is open. */

import type { ComponentChildren } from "preact";
import { usePage } from "../layout/context";
import "./fold.css";

interface Props {
  /** Stable name of the fold, so that it is still open when its row comes back into view. */
  readonly foldKey: string;
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Fold({ foldKey, summary, children }: Props) {
  const { folds } = usePage();
  const open = folds.current.value.has(foldKey);
  return (
    <details class="fold" open={open} onToggle={(event) => folds.set(foldKey, event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && <div class="fold-body">{children}</div>}
    </details>
  );
}
