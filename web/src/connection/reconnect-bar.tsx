/** A thin bar while the host cannot be reached: since when, and what to do if it has ended. */

import { useEffect, useState } from "preact/hooks";
import { useLanguage, usePage } from "../layout/context";
import "./reconnect-bar.css";

/** A restart of the host takes less than this. */
const PATIENCE_MS = 1_000;
/** After this long it has probably ended for good. */
const GONE_MS = 10_000;

export function ReconnectBar() {
  const { link } = usePage();
  const state = link.state.value;
  return state.is === "lost" ? <Bar since={state.since} /> : null;
}

function Bar({ since }: { readonly since: number }) {
  const { link } = usePage();
  const { words, format } = useLanguage();
  const [lasted, setLasted] = useState(Date.now() - since);
  useEffect(() => {
    const timer = setInterval(() => setLasted(Date.now() - since), 500);
    return () => clearInterval(timer);
  }, [since]);
  if (lasted < PATIENCE_MS) return null;
  return (
    <div class="reconnect-bar" role="status">
      <span>{words["link.lostSince"](format.time(new Date(since).toISOString()))}</span>
      {lasted > GONE_MS && (
        <span>
          {words["link.gone"]} <code>groupx start</code>
        </span>
      )}
      <button type="button" class="text" onClick={() => link.tryNow()}>
        {words["link.tryNow"]}
      </button>
    </div>
  );
}
