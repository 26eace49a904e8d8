/** Stops a Turn and says which one; for a queued Turn, takes it back. */

import { useLanguage, usePage } from "../layout/context";
import type { Turn } from "../store/state";

interface Props {
  readonly turn: Turn;
  readonly name: string;
}

export function StopButton({ turn, name }: Props) {
  const { turning, places } = usePage();
  const { words } = useLanguage();
  const wish = turning.wishes.value.get(turn.turnId);
  const about = places.aboutToStop.value === turn.turnId;
  const stopping = wish?.is === "asked" || turn.phase === "cancelling";
  const label = stopping
    ? words["row.stopping"]
    : turn.phase === "queued"
      ? words["row.unqueue"]
      : words["row.stop"](name);
  return (
    <>
      {about && !stopping && <span class="about-to-stop">{words["row.escAgain"](name)}</span>}
      {wish?.is === "refused" && <span class="refused">{wish.message}</span>}
      <button
        type="button"
        class="row-stop"
        data-action="stop"
        disabled={stopping}
        onClick={() => void turning.stop(turn.turnId)}
      >
        {label}
      </button>
    </>
  );
}
