/** One line of the message that this one answers, leading to it. */

import { useLanguage, usePage, useSelected } from "../layout/context";
import { firstWords } from "../markdown/first-words";
import { rowIdOfMessage } from "../store/look-up";

interface Props {
  readonly eventId: string;
  readonly forwarded?: boolean;
}

export function Quote({ eventId, forwarded = false }: Props) {
  const { places } = usePage();
  const { words } = useLanguage();
  const message = useSelected((state) => state.messages.get(eventId));
  if (message === undefined) return <p class="quote">{words["timeline.earlier"]}</p>;
  return (
    <p class="quote">
      <button
        type="button"
        class="quote-link"
        title={words["row.inReplyTo"](message.actor.displayName)}
        onClick={() => places.go(rowIdOfMessage(message))}
      >
        {forwarded && <span>{words["timeline.forwarded"]}</span>} <b>{message.actor.displayName}</b>{" "}
        {firstWords(message.content)}
      </button>
    </p>
  );
}
