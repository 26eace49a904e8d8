/** What an empty room says: one sentence about what to do next. */

import { useLanguage, useSelected } from "../layout/context";

export function EmptyRoom() {
  const { words } = useLanguage();
  const agents = [...useSelected((state) => state.agents).values()];
  const [only] = agents;
  const sentence =
    only === undefined
      ? words["agent.none"]
      : agents.length === 1
        ? words["timeline.empty.one"](only.displayName)
        : words["timeline.empty.many"];
  return <p class="empty-room">{sentence}</p>;
}
