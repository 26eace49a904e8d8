/**
 * An event that is neither message nor Turn. It owns the words for the types that the page knows;
 * any other is shown by its name, with its body folded.
 */

import { useLanguage, useSelected } from "../layout/context";
import type { Language } from "../language/language";
import { firstWords } from "../markdown/first-words";
import { isRecord, textAt } from "../store/facts";
import { nameOf } from "../store/look-up";
import type { Notice } from "../store/state";
import { Fold } from "./fold";
import { JsonView } from "./json-view";
import { ReplyButton } from "./row-actions";
import { RowTime } from "./row-time";
import "./notice.css";

/** What a notice says, and how loudly. */
interface Saying {
  readonly text: string;
  readonly tone: "quiet" | "bad";
  /** Whether its body says more than the text. */
  readonly more: boolean;
  readonly reply: boolean;
}

function why(language: Language, body: Readonly<Record<string, unknown>>): string {
  const code = textAt(body, "errorCode");
  const known = code === null ? null : language.failure(code);
  return textAt(body, "message") ?? (known === null ? (code ?? "") : `${known.what} ${known.todo}`);
}

function sayingOf(language: Language, notice: Notice, agentName: string): Saying {
  const { words } = language;
  const body = isRecord(notice.body) ? notice.body : {};
  const quiet = (text: string): Saying => ({ text, tone: "quiet", more: false, reply: false });
  const bad = (text: string): Saying => ({ ...quiet(text), tone: "bad" });
  const record = isRecord(body["record"]) ? firstWords(textAt(body["record"], "content") ?? "") : "";
  switch (notice.type) {
    case "session.failed":
      return bad(words["notice.sessionFailed"](agentName, why(language, body)));
    case "session.stopped":
      return bad(words["notice.sessionStopped"](agentName, why(language, body)));
    case "session.ready":
    case "session.resumed":
      return quiet(textAt(body, "message") ?? words["notice.sessionFresh"](agentName));
    case "system.error":
      return bad(words["notice.systemError"](why(language, body)));
    case "routing.loop_stopped":
      return { ...bad(words["notice.loopStopped"]), more: true, reply: true };
    case "context.reset":
      return quiet(words["notice.contextReset"]);
    case "memory.remembered":
    case "identity.remembered":
      return quiet(words["notice.remembered"](notice.actor.displayName, record));
    case "memory.superseded":
    case "identity.superseded":
      return quiet(words["notice.superseded"](notice.actor.displayName, record));
    case "memory.retracted":
    case "identity.retracted":
      return quiet(words["notice.retracted"](notice.actor.displayName, record));
    case "message.created":
      return { ...quiet(words["notice.brief"]), more: true };
    default:
      return { ...quiet(words["notice.unknown"](notice.type)), more: true };
  }
}

export function NoticeRow({ eventId }: { readonly eventId: string }) {
  const language = useLanguage();
  const notice = useSelected((state) => state.notices.get(eventId));
  const agentName = useSelected((state) => nameOf(state, subjectOf(state.notices.get(eventId))));
  if (notice === undefined) return null;
  const { text, tone, more, reply } = sayingOf(language, notice, agentName);
  return (
    <div class={`notice notice-${tone}`}>
      <span id={`who-${eventId}`} class="notice-text">
        {more ? (
          <Fold foldKey={eventId} summary={text}>
            <JsonView value={notice.body} />
          </Fold>
        ) : (
          text
        )}
      </span>
      {reply && (
        <span class="row-actions">
          <ReplyButton eventId={eventId} />
        </span>
      )}
      <RowTime at={notice.at} />
    </div>
  );
}

/** The actor that a notice speaks of. */
function subjectOf(notice: Notice | undefined): string {
  if (notice === undefined) return "";
  return (isRecord(notice.body) ? textAt(notice.body, "actorId") : null) ?? notice.actor.actorId;
}
