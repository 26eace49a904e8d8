/** The keys that work anywhere on the page, as long as nobody is writing. */

import { useEffect } from "preact/hooks";
import { usePage, type Page } from "../layout/context";
import { escStops } from "../timeline/keys";

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest("textarea, input, select, [contenteditable]") !== null
  );
}

function act(page: Page, event: KeyboardEvent): boolean {
  if (event.key === "Escape") {
    if (page.opened.peek() !== null) {
      page.opened.value = null;
      return true;
    }
    return escStops(page);
  }
  if (isWriting(event.target)) return false;
  switch (event.key) {
    case "?":
      page.opened.value = page.opened.peek()?.is === "keys" ? null : { is: "keys" };
      return true;
    case "i":
      document.getElementById("composer-text")?.focus();
      return true;
    case "a":
      document.querySelector<HTMLElement>(".agent-row, .agents-button")?.focus();
      return true;
    case "j":
    case "k": {
      const { rows } = page.room.state.peek() ?? { rows: [] };
      const id = page.places.current.peek() ?? rows.at(-1)?.id;
      if (id !== undefined) page.places.go(id);
      return id !== undefined;
    }
    default:
      return false;
  }
}

export function usePageKeys(): void {
  const page = usePage();
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
        return;
      if (act(page, event)) event.preventDefault();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, [page]);
}
