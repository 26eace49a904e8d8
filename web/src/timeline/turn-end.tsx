/** How a Turn ended when it did not complete: the reason in words, and what to do. */

import type { Language } from "../language/language";
import { useLanguage, useSelected } from "../layout/context";
import type { Failure, Turn } from "../store/state";

/** The reason of a failure in one or two sentences: the host's words first. */
export function reasonOf(language: Language, failure: Failure | null): string {
  const known = failure?.code == null ? null : language.failure(failure.code);
  return failure?.message ?? known?.what ?? failure?.code ?? "";
}

export function TurnEnd({ turn }: { readonly turn: Turn }) {
  const language = useLanguage();
  const { words } = language;
  const empty = useSelected(
    (state) => turn.answerId !== null && state.messages.get(turn.answerId)?.content === "",
  );
  switch (turn.phase) {
    case "completed":
      return empty ? <p class="note">{words["turn.empty"]}</p> : null;
    case "cancelled":
      return <p class="note">{words["turn.cancelledNote"]}</p>;
    case "failed":
    case "interrupted": {
      const known = turn.failure?.code == null ? null : language.failure(turn.failure.code);
      return (
        <p class={`ending ending-${turn.phase}`}>
          <span class="ending-reason">{reasonOf(language, turn.failure)}</span>
          {/* The host's own words say what to do as well. */}
          {known !== null && turn.failure?.message === null && <span class="ending-todo"> {known.todo}</span>}
          {turn.failure?.code != null && <code class="ending-code">{turn.failure.code}</code>}
        </p>
      );
    }
    default:
      return null;
  }
}
