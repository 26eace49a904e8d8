/**
 * Which language the page speaks: the user's pick, else the room's configuration, else the browser.
 */

import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Catalogue } from "./catalogue";
import { en } from "./en";
import { failuresEn } from "./failures.en";
import { failuresZh } from "./failures.zh";
import { isFailureCode, type FailureCode, type FailureWords } from "./failures";
import { formatFor, type Format } from "./format";
import { zh } from "./zh";

export type LanguageCode = "en" | "zh";

/** The languages that the page speaks, each by its own name. */
export const LANGUAGES: Readonly<Record<LanguageCode, string>> = { en: "English", zh: "中文" };

const CATALOGUES: Readonly<Record<LanguageCode, Catalogue>> = { en, zh };
const FAILURES: Readonly<Record<LanguageCode, Readonly<Record<FailureCode, FailureWords>>>> = {
  en: failuresEn,
  zh: failuresZh,
};

/** Words, and how numbers and times are written. */
export interface Language {
  readonly code: LanguageCode;
  readonly words: Catalogue;
  readonly format: Format;
  /** Words for a failure code; null when it is unknown. */
  failure(code: string): FailureWords | null;
}

/** `tags` are the browser's: its English may be British. */
function languageOf(code: LanguageCode, tags: readonly string[]): Language {
  return {
    code,
    words: CATALOGUES[code],
    format: formatFor(tags.find((tag) => codeFor(tag) === code) ?? code),
    failure: (failure) => (isFailureCode(failure) ? FAILURES[code][failure] : null),
  };
}

/** The language that a tag like `zh-CN` asks for, if the page speaks it. */
export function codeFor(tag: string): LanguageCode | null {
  const primary = tag.toLowerCase().split("-")[0];
  return primary === "en" || primary === "zh" ? primary : null;
}

/** The choice itself; the user's pick is kept in the browser. */
export class LanguageChoice {
  private readonly picked = signal<LanguageCode | null>(null);
  private readonly configured = signal<LanguageCode | null>(null);
  readonly current: ReadonlySignal<Language>;

  constructor(
    browserTags: readonly string[],
    private readonly storage: Storage,
  ) {
    const fromBrowser = browserTags.map(codeFor).find((code) => code !== null) ?? "en";
    this.picked.value = codeFor(storage.getItem(KEY) ?? "");
    this.current = computed(() =>
      languageOf(this.picked.value ?? this.configured.value ?? fromBrowser, browserTags),
    );
  }

  pick(code: LanguageCode): void {
    this.picked.value = code;
    this.storage.setItem(KEY, code);
  }

  /** Takes over the configuration's wish; the user's own pick stays stronger. */
  configure(tag: string | null): void {
    this.configured.value = tag === null ? null : codeFor(tag);
  }
}

const KEY = "groupx.language";
