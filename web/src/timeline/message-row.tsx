/** Something that was said in the room and is no answer of a Turn. */

import { Badge } from "../agents/badge";
import { useLanguage, useSelected } from "../layout/context";
import { Markdown } from "../markdown/markdown";
import { nameOf } from "../store/look-up";
import type { Message, RoomState } from "../store/state";
import { Quote } from "./quote";
import { CopyButton, ReplyButton } from "./row-actions";
import { RowTime } from "./row-time";

export function MessageRow({ eventId }: { readonly eventId: string }) {
  const message = useSelected((state) => state.messages.get(eventId));
  if (message === undefined) return null;
  const { actor } = message;
  return (
    <>
      <Badge actorId={actor.actorId} name={actor.displayName} />
      <div class="row-body">
        <header class="row-head">
          <b id={`who-${eventId}`}>{actor.displayName}</b>
          <Recipients message={message} />
          <span class="row-actions">
            <ReplyButton eventId={eventId} />
            <CopyButton text={message.content} />
          </span>
          <RowTime at={message.at} />
        </header>
        {message.replyTo !== null && <Quote eventId={message.replyTo} />}
        {message.forwarded !== null && <Quote eventId={message.forwarded} forwarded />}
        <Markdown text={message.content} foldKey={eventId} />
      </div>
    </>
  );
}

function Recipients({ message }: { readonly message: Message }) {
  const { words } = useLanguage();
  const names = useSelected((state) =>
    toEveryone(state, message) ? "" : namesOf(state, message).join("\n"),
  );
  if (message.to.length === 0) return null;
  if (names === "") return <span class="row-to">{words["timeline.to"](words["timeline.everyone"])}</span>;
  const list = names.split("\n");
  const last = list.pop() ?? "";
  const all =
    list.length === 0 ? last : `${list.join(words["timeline.comma"])}${words["timeline.and"]}${last}`;
  return <span class="row-to">{words["timeline.to"](all)}</span>;
}

function namesOf(state: RoomState, message: Message): readonly string[] {
  return message.to.map((actorId) => nameOf(state, actorId));
}

/** Whether a message went to everyone who could be addressed. */
function toEveryone(state: RoomState, message: Message): boolean {
  const others = [...state.agents.keys()].filter((actorId) => actorId !== message.actor.actorId);
  return others.length > 1 && others.every((actorId) => message.to.includes(actorId));
}
