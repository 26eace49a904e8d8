/** The message that is being replied to, quoted above the text. */

import { useLanguage, usePage, useSelected } from "../layout/context";
import { firstWords } from "../markdown/first-words";

export function ReplyLine() {
  const { composing } = usePage();
  const { words } = useLanguage();
  const { value: eventId } = composing.replyTo;
  const message = useSelected((state) => {
    const { value } = composing.replyTo;
    return value === null ? undefined : state.messages.get(value);
  });
  if (eventId === null) return null;
  return (
    <p class="reply-line">
      <span class="reply-quote">
        {message === undefined ? (
          words["composer.replyTo"](words["timeline.earlier"])
        ) : (
          <>
            <b>{words["composer.replyTo"](message.actor.displayName)}</b> {firstWords(message.content)}
          </>
        )}
      </span>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          composing.replyTo.value = null;
        }}
      >
        {words["composer.noReply"]}
      </button>
    </p>
  );
}
