/** Two letters in an actor's own hue: who it is, at a glance. */

import { hueOf, lettersOf } from "../look/hue";
import "./badge.css";

interface Props {
  readonly actorId: string;
  readonly name: string;
}

export function Badge({ actorId, name }: Props) {
  const kind = actorId.slice(0, actorId.indexOf(":"));
  return (
    <span class={`badge badge-${kind} hue-${hueOf(actorId)}`} aria-hidden="true">
      {lettersOf(name)}
    </span>
  );
}
