/** Who the message is for: agents and everyone, as chips to switch on and off. */

import { useLanguage, usePage, useSelected } from "../layout/context";
import { hueOf } from "../look/hue";
import { ALL } from "./draft";

export function Recipients() {
  const { composing } = usePage();
  const { words } = useLanguage();
  const agents = [...useSelected((state) => state.agents).values()];
  const { value: to } = composing.to;
  if (agents.length === 0) return null;
  return (
    <div class="recipients" role="group" aria-label={words["composer.to"]}>
      <span class="recipients-label" aria-hidden="true">
        {words["composer.to"]}
      </span>
      {agents.map((agent) => (
        <button
          key={agent.actorId}
          type="button"
          class={`chip hue-${hueOf(agent.actorId)}`}
          aria-pressed={to.includes(agent.actorId)}
          onClick={() => composing.toggle(agent.actorId)}
        >
          {agent.displayName}
        </button>
      ))}
      {agents.length > 1 && (
        <button
          type="button"
          class="chip chip-all"
          aria-pressed={to.includes(ALL)}
          onClick={() => composing.toggle(ALL)}
        >
          {words["composer.all"]}
        </button>
      )}
    </div>
  );
}
