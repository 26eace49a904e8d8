/** The one drawer: closed, or open with one thing in it. Esc closes it and the focus goes back. */

import { useEffect, useRef } from "preact/hooks";
import { AgentList } from "../agents/agent-list";
import { AgentPanel } from "../agents/agent-panel";
import { Badge } from "../agents/badge";
import type { Attention } from "../attention/attention";
import { KeysPanel } from "../keyboard/keys-panel";
import { nameOf } from "../store/look-up";
import { useLanguage, usePage, useSelected, type Opened } from "./context";
import { SettingsPanel } from "./settings-panel";

export function Drawer({ attention }: { readonly attention: Attention }) {
  const { opened } = usePage();
  const { value: open } = opened;
  return open === null ? null : <Open key={open.is} open={open} attention={attention} />;
}

function Open({ open, attention }: { readonly open: Opened; readonly attention: Attention }) {
  const { opened } = usePage();
  const { words } = useLanguage();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const element = panel.current;
    element?.focus();
    return () => {
      const now = document.activeElement;
      // Whoever has the focus elsewhere by now was given it on purpose.
      const orphaned = now === null || now === document.body || element?.contains(now) === true;
      if (orphaned && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <aside class={`drawer drawer-${open.is}`} aria-labelledby="drawer-title" tabIndex={-1} ref={panel}>
      <header class="drawer-head">
        <h2 id="drawer-title">
          <Title open={open} />
        </h2>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            opened.value = null;
          }}
        >
          {words["page.close"]}
        </button>
      </header>
      <div class="drawer-body">
        {open.is === "agents" && <AgentList />}
        {open.is === "agent" && <AgentPanel actorId={open.actorId} />}
        {open.is === "keys" && <KeysPanel />}
        {open.is === "settings" && <SettingsPanel attention={attention} />}
      </div>
    </aside>
  );
}

function Title({ open }: { readonly open: Opened }) {
  const { words } = useLanguage();
  switch (open.is) {
    case "agent":
      return <AgentTitle key={open.actorId} actorId={open.actorId} />;
    case "agents":
      return <>{words["page.agents"]}</>;
    case "keys":
      return <>{words["keys.title"]}</>;
    case "settings":
      return <>{words["page.settings"]}</>;
  }
}

function AgentTitle({ actorId }: { readonly actorId: string }) {
  const name = useSelected((state) => nameOf(state, actorId));
  return (
    <>
      <Badge actorId={actorId} name={name} /> {name}
    </>
  );
}
