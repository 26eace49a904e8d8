/** The agents of the room, one row each: who, what it does, what waits for it, whether it has its tools. */

import { useComputed } from "@preact/signals";
import { useLanguage, usePage, useSelected } from "../layout/context";
import type { Agent } from "../store/state";
import { activeTurnOf } from "../store/look-up";
import { agentWords, queueLength, toneOf } from "./agent-words";
import { Badge } from "./badge";
import "./agents.css";

export function AgentList() {
  const { words } = useLanguage();
  const agents = [...useSelected((state) => state.agents).values()];
  if (agents.length === 0) return <p class="agents-none">{words["agent.none"]}</p>;
  return (
    <ul class="agent-list">
      {agents.map((agent) => (
        <li key={agent.actorId}>
          <AgentRow agent={agent} />
        </li>
      ))}
    </ul>
  );
}

function AgentRow({ agent }: { readonly agent: Agent }) {
  const { opened, room, language, now } = usePage();
  const { words } = useLanguage();
  const { actorId } = agent;
  const doing = useComputed(() => {
    const state = room.state.value;
    const current = state?.agents.get(actorId);
    return state === null || current === undefined
      ? ""
      : agentWords(language.current.value, state, current, now.value);
  }).value;
  const queue = useSelected((state) => {
    const current = state.agents.get(actorId);
    return current === undefined ? 0 : queueLength(state, current);
  });
  const working = useSelected((state) => activeTurnOf(state, actorId) !== null);
  const isOpen = opened.value?.is === "agent" && opened.value.actorId === actorId;
  return (
    <button
      type="button"
      class="agent-row"
      aria-expanded={isOpen}
      onClick={() => {
        opened.value = isOpen ? null : { is: "agent", actorId };
      }}
    >
      <Badge actorId={actorId} name={agent.displayName} />
      <span class="agent-lines">
        <span class="agent-line">
          <span class="agent-name">{agent.displayName}</span>
          {queue > 0 && <span class="agent-queue">{words["agent.queue"](queue)}</span>}
        </span>
        <span class={`agent-state tone-${toneOf(agent.session, working)}`}>{doing}</span>
        <span class={`agent-tools agent-tools-${agent.tools}`}>
          {words["agent.toolsAre"](words[`agent.tools.${agent.tools}`])}
        </span>
      </span>
    </button>
  );
}
