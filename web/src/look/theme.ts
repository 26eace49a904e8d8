/** Light, dark, or as the system says: the user's pick, kept in the browser. */

import { signal, type ReadonlySignal } from "@preact/signals";

/** What the user can pick. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

function isTheme(value: string | null): value is Theme {
  return THEMES.some((theme) => theme === value);
}

export class ThemeChoice {
  private readonly picked = signal<Theme>("system");

  constructor(
    private readonly root: HTMLElement,
    private readonly storage: Storage,
  ) {
    const kept = storage.getItem(KEY);
    this.show(isTheme(kept) ? kept : "system");
  }

  get current(): ReadonlySignal<Theme> {
    return this.picked;
  }

  pick(theme: Theme): void {
    this.storage.setItem(KEY, theme);
    this.show(theme);
  }

  private show(theme: Theme): void {
    this.picked.value = theme;
    if (theme === "system") delete this.root.dataset["theme"];
    else this.root.dataset["theme"] = theme;
  }
}

const KEY = "groupx.theme";
