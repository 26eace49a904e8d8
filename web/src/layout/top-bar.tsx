/** The top of the page: the room, whether it is connected, and the way to settings and keys. */

import { useLanguage, usePage } from "./context";
import type { Opened } from "./context";

export function TopBar() {
  const { words } = useLanguage();
  return (
    <header class="top">
      <a class="skip" href="#composer-text">
        {words["page.skip"]}
      </a>
      <h1>{words["page.title"]}</h1>
      <Connection />
      <nav class="top-actions" aria-label={words["page.settings"]}>
        <Opener class="agents-button" opens={{ is: "agents" }} label={words["page.agents"]} />
        <Opener opens={{ is: "settings" }} label={words["page.settings"]} />
        <Opener opens={{ is: "keys" }} label={words["page.keys"]} />
      </nav>
    </header>
  );
}

function Connection() {
  const { link } = usePage();
  const { words } = useLanguage();
  const { is } = link.state.value;
  return <span class={`connection connection-${is}`}>{words[`link.${is}`]}</span>;
}

function Opener({
  opens,
  label,
  class: extra = "",
}: {
  readonly opens: Opened;
  readonly label: string;
  readonly class?: string;
}) {
  const { opened } = usePage();
  const isOpen = opened.value?.is === opens.is;
  return (
    <button
      type="button"
      class={`quiet ${extra}`}
      aria-expanded={isOpen}
      onClick={() => {
        opened.value = isOpen ? null : opens;
      }}
    >
      {label}
    </button>
  );
}
