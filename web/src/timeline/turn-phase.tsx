/** A Turn's state in a word, with how long it has taken and what it cost. */

import { elapsed } from "../language/format";
import { useLanguage, usePage, useSelected } from "../layout/context";
import { placeInLine } from "../store/look-up";
import type { Turn } from "../store/state";

export function TurnPhase({ turn }: { readonly turn: Turn }) {
  return (
    <span class={`phase phase-${turn.phase}`}>
      <Word turn={turn} />
    </span>
  );
}

function Word({ turn }: { readonly turn: Turn }) {
  const { words } = useLanguage();
  switch (turn.phase) {
    case "queued":
      return <Queued turnId={turn.turnId} />;
    case "running":
      return <Running since={turn.startedAt} />;
    case "completed":
      return <Done turn={turn} />;
    case "dispatching":
      return <>{words["turn.dispatching"]}</>;
    case "cancelling":
      return <>{words["turn.cancelling"]}</>;
    case "failed":
      return <>{words["turn.failed"]}</>;
    case "cancelled":
      return <>{words["turn.cancelled"]}</>;
    case "interrupted":
      return <>{words["turn.interrupted"]}</>;
  }
}

function Queued({ turnId }: { readonly turnId: string }) {
  const { words } = useLanguage();
  const place = useSelected((state) => {
    const turn = state.turns.get(turnId);
    return turn === undefined ? 1 : placeInLine(state, turn);
  });
  return <>{place > 1 ? words["turn.queuedAt"](place) : words["turn.queued"]}</>;
}

function Running({ since }: { readonly since: string | null }) {
  const { now } = usePage();
  const { words } = useLanguage();
  return <>{words["turn.running"](since === null ? "" : elapsed(now.value - Date.parse(since)))}</>;
}

function Done({ turn }: { readonly turn: Turn }) {
  const { words, format } = useLanguage();
  const parts: string[] = [words["turn.completed"]];
  if (turn.startedAt !== null && turn.endedAt !== null)
    parts.push(elapsed(Date.parse(turn.endedAt) - Date.parse(turn.startedAt)));
  const { inputTokens, outputTokens, costUsd } = turn.usage ?? {};
  if (outputTokens !== undefined) {
    const output = format.compact(outputTokens);
    parts.push(
      inputTokens === undefined
        ? words["turn.tokensOut"](output)
        : words["turn.tokens"](format.compact(inputTokens), output),
    );
  }
  if (costUsd !== undefined) parts.push(format.usd(costUsd));
  return <>{parts.join(" · ")}</>;
}
