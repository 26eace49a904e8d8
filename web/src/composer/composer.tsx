/** Where the user writes: recipients, what it replies to, the text, and why it was not accepted. */

import { useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Announcer } from "../attention/announcer";
import { useLanguage, usePage, useSelected } from "../layout/context";
import { nameOf } from "../store/look-up";
import { ALL } from "./draft";
import { Recipients } from "./recipients";
import { ReplyLine } from "./reply-line";
import "./composer.css";

/** The protocol's limit in UTF-16 units; the host may have a lower one and says so. */
const MOST_CHARACTERS = 131_072;
const NEAR_LIMIT = MOST_CHARACTERS * 0.9;

export function Composer({ announcer }: { readonly announcer: Announcer }) {
  const { composing, places } = usePage();
  const { words } = useLanguage();
  const agentIds = useSelected((state) => [...state.agents.keys()].join("\n"));
  useEffect(() => composing.keepTo(agentIds === "" ? [] : agentIds.split("\n")), [composing, agentIds]);
  const { value: text } = composing.text;
  const { value: sending } = composing.sending;

  const send = async () => {
    if (!(await composing.send())) return;
    announcer.polite(words["announce.sent"]);
    places.current.value = null;
    places.toEnd();
  };

  return (
    <form
      class="composer"
      aria-label={words["composer.label"]}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <ReplyLine />
      <Recipients />
      <div class="composer-line">
        <TextField send={send} />
        <button type="submit" class="main" disabled={sending || text.trim() === "" || agentIds === ""}>
          {sending ? words["composer.sending"] : words["composer.send"]}
        </button>
      </div>
      <Under />
    </form>
  );
}

function TextField({ send }: { readonly send: () => Promise<void> }) {
  const { composing } = usePage();
  const { words } = useLanguage();
  const names = useTargetNames();
  const field = useRef<HTMLTextAreaElement>(null);
  const { value: text } = composing.text;

  // As high as its text, up to the limit in the style sheet.
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight + 2}px`;
  }, [text]);

  return (
    <textarea
      id="composer-text"
      ref={field}
      rows={1}
      value={text}
      aria-label={words["composer.label"]}
      aria-describedby="composer-under"
      placeholder={names === "" ? words["composer.placeholder.none"] : words["composer.placeholder"](names)}
      onInput={(event) => {
        composing.text.value = event.currentTarget.value;
      }}
      onKeyDown={(event) => {
        // While an input method composes, Enter chooses a word.
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        void send();
      }}
    />
  );
}

/** The recipients by name, as one text. */
function useTargetNames(): string {
  const { composing, room, language } = usePage();
  return useComputed(() => {
    const { words } = language.current.value;
    const state = room.state.value;
    const named = composing.to.value.map((target) =>
      target === ALL || state === null ? words["timeline.everyone"] : nameOf(state, target),
    );
    return named.join(words["timeline.comma"]);
  }).value;
}

/** Below the text: why it was refused, or its length near the limit, or what Enter does. */
function Under() {
  const { composing } = usePage();
  const { words, format } = useLanguage();
  const { value: refusal } = composing.refusal;
  const length = composing.text.value.length;
  const said = () => {
    switch (refusal?.is) {
      case "no-target":
        return words["composer.noTarget"];
      case "no-host":
        return words["composer.noHost"];
      case "refused":
        return refusal.message;
      case undefined:
        return null;
    }
  };
  const reason = said();
  return (
    <p id="composer-under" class="composer-under">
      {reason === null && length <= NEAR_LIMIT && <span class="composer-hint">{words["composer.hint"]}</span>}
      <span role="alert" class="refused">
        {reason}
      </span>
      {length > NEAR_LIMIT && (
        <span class={length > MOST_CHARACTERS ? "refused" : ""}>
          {words["composer.length"](format.count(length), format.count(MOST_CHARACTERS))}
        </span>
      )}
    </p>
  );
}
