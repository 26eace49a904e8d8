/**
 * One Turn, living through its states in place: queued, working with what streams, over with its
 * answer or its reason.
 */

import { Badge } from "../agents/badge";
import { useLanguage, useSelected } from "../layout/context";
import { Markdown } from "../markdown/markdown";
import { turnName } from "../store/look-up";
import { isOver, type Row, type RoomState, type Turn } from "../store/state";
import { Fold } from "./fold";
import { Quote } from "./quote";
import { CopyButton, ReplyButton } from "./row-actions";
import { RowTime } from "./row-time";
import { StopButton } from "./stop-button";
import { ToolList } from "./tool-list";
import { TurnEnd } from "./turn-end";
import { TurnPhase } from "./turn-phase";

interface Props {
  readonly turnId: string;
  readonly previous: Row | null;
}

export function TurnRow({ turnId, previous }: Props) {
  const { words } = useLanguage();
  const turn = useSelected((state) => state.turns.get(turnId));
  const name = useSelected((state) => nameIn(state, turnId)) ?? words["timeline.unknownAgent"];
  if (turn === undefined) return null;
  return (
    <>
      <Badge actorId={turn.agentId ?? "agent:"} name={name} />
      <div class="row-body">
        <header class="row-head">
          <b id={`who-${turnId}`}>{name}</b>
          <TurnPhase turn={turn} />
          <span class="row-actions">
            {!isOver(turn.phase) && <StopButton turn={turn} name={name} />}
            <AnswerActions turnId={turnId} />
          </span>
          <TurnTime turn={turn} />
        </header>
        <Source turnId={turnId} previous={previous} />
        <Thinking turn={turn} />
        <ToolList turnId={turnId} tools={turn.tools} over={isOver(turn.phase)} />
        <Answer turnId={turnId} turn={turn} />
        <TurnEnd turn={turn} />
      </div>
    </>
  );
}

function nameIn(state: RoomState, turnId: string): string | null {
  const turn = state.turns.get(turnId);
  return turn === undefined ? null : turnName(state, turn);
}

function answerIn(state: RoomState, turnId: string) {
  const answerId = state.turns.get(turnId)?.answerId;
  return answerId == null ? undefined : state.messages.get(answerId);
}

function TurnTime({ turn }: { readonly turn: Turn }) {
  const at = turn.endedAt ?? turn.startedAt ?? turn.queuedAt;
  return at === null ? null : <RowTime at={at} />;
}

function AnswerActions({ turnId }: { readonly turnId: string }) {
  const answer = useSelected((state) => answerIn(state, turnId));
  if (answer === undefined) return null;
  return (
    <>
      <ReplyButton eventId={answer.eventId} />
      <CopyButton text={answer.content} />
    </>
  );
}

/** What the Turn was asked, where that does not stand right above it. */
function Source({ turnId, previous }: Props) {
  const eventId = useSelected((state) => {
    const source = state.turns.get(turnId)?.sourceEventId ?? null;
    if (source === null || previous === null) return source;
    const above = previous.kind === "turn" ? state.turns.get(previous.id)?.sourceEventId : previous.id;
    return above === source ? null : source;
  });
  return eventId === null ? null : <Quote eventId={eventId} />;
}

function Thinking({ turn }: { readonly turn: Turn }) {
  const { words } = useLanguage();
  const text = turn.reasoning ?? turn.live?.reasoning ?? "";
  if (text === "") return null;
  return (
    <Fold foldKey={`${turn.turnId} reasoning`} summary={words["turn.reasoning"]}>
      <div class="reasoning">
        <Markdown text={text} foldKey={`${turn.turnId} reasoning text`} streaming={turn.live !== null} />
      </div>
    </Fold>
  );
}

/** The answer: as it streams, as it stands, or what there was of it. */
function Answer({ turnId, turn }: { readonly turnId: string; readonly turn: Turn }) {
  const { words } = useLanguage();
  const answer = useSelected((state) => answerIn(state, turnId));
  const { live, partial } = turn;
  // One place for all three: the text is not drawn anew when the Turn ends.
  const text = answer?.content ?? live?.text ?? partial ?? "";
  return (
    <>
      {live?.gap === true && <p class="note">{words["turn.gap"]}</p>}
      {answer === undefined && live === null && partial !== null && (
        <p class="note">{words["turn.partial"]}</p>
      )}
      {text !== "" && (
        <div class={answer === undefined && live === null ? "partial" : "answer"}>
          <Markdown text={text} foldKey={turnId} streaming={answer === undefined && live !== null} />
        </div>
      )}
      {live?.progress != null && <p class="note">{live.progress}</p>}
    </>
  );
}
