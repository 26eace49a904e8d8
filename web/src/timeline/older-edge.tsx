/** The upper edge of what is loaded: older messages are coming, failed to come, or there are none. */

import { useLanguage, useSelected } from "../layout/context";
import type { Loading } from "./older";

export function OlderEdge({ loading, again }: { readonly loading: Loading; readonly again: () => void }) {
  const { words } = useLanguage();
  const more = useSelected((state) => state.olderBefore !== null);
  const empty = useSelected((state) => state.rows.length === 0);
  if (loading === "failed") {
    return (
      <>
        {words["timeline.olderFailed"]}{" "}
        <button type="button" class="text" onClick={again}>
          {words["timeline.again"]}
        </button>
      </>
    );
  }
  if (more) return <>{words["timeline.older"]}</>;
  return empty ? null : <>{words["timeline.start"]}</>;
}
