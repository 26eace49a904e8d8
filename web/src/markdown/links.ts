/** Where links lead: targets in brackets, bare addresses, and which of them may be opened. */

import { unescaped } from "./text";

interface Target {
  readonly href: string;
  readonly title: string;
  /** Where the text goes on. */
  readonly end: number;
}

/** A target longer than this is text; it also bounds how often a hostile text is read again. */
const LONGEST = 2_000;

const TARGET =
  /\([ \t]*\n?[ \t]*(?:<((?:[^<>\\\n]|\\.)*)>|((?!<)(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*\))*))(?:(?:[ \t]+|[ \t]*\n[ \t]*)(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|\(((?:[^()\\]|\\.)*)\)))?[ \t]*\n?[ \t]*\)/uy;

/** The target in brackets at `at`, as in `(address "title")`. */
export function targetAt(text: string, at: number): Target | null {
  const near = text.slice(at, at + LONGEST);
  TARGET.lastIndex = 0;
  const match = TARGET.exec(near);
  if (match === null) return null;
  const [whole, pointed, bare, ...titles] = match;
  const title = titles.find((each) => each !== undefined) ?? "";
  return { href: unescaped(pointed ?? bare ?? ""), title: unescaped(title), end: at + whole.length };
}

const POINTED =
  /<([a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]{0,1900}|[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,200}@[a-zA-Z0-9.-]{1,200})>/uy;

/** An address in pointed brackets at `at`. */
export function pointedAt(
  text: string,
  at: number,
): { readonly href: string; readonly text: string; readonly end: number } | null {
  POINTED.lastIndex = at;
  const match = POINTED.exec(text);
  if (match === null) return null;
  const shown = match[1] ?? "";
  const href = /^[a-zA-Z][a-zA-Z0-9+.-]{1,31}:/u.test(shown) ? shown : `mailto:${shown}`;
  return { href, text: shown, end: at + match[0].length };
}

const BARE = /(?:https?:\/\/|www\.)[^\s<>"`[\]\u3000-\u303f\uff01-\uff5e]{1,1900}/iuy;

/** A bare web address at `at`, without the punctuation that ends its sentence. */
export function bareAt(
  text: string,
  at: number,
): { readonly href: string; readonly text: string; readonly end: number } | null {
  BARE.lastIndex = at;
  const match = BARE.exec(text);
  if (match === null) return null;
  const whole = match[0];
  let end = whole.length;
  let open = count(whole, ")") - count(whole, "(");
  for (; end > 0; end -= 1) {
    const last = whole[end - 1] ?? "";
    if (last === ")" && open > 0) open -= 1;
    else if (!/[?!.,:*_~;'}]/u.test(last)) break;
  }
  const shown = whole.slice(0, end);
  if (!/^(?:https?:\/\/|www\.)[^\s/?#.]/iu.test(shown)) return null;
  return { href: /^www\./iu.test(shown) ? `http://${shown}` : shown, text: shown, end: at + shown.length };
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

/** The address if it may be opened from the page; null for every scheme that could do something. */
export function safeHref(href: string): string | null {
  try {
    const url = new URL(href);
    return url.protocol === "http:" || url.protocol === "https:" || url.protocol === "mailto:"
      ? url.href
      : null;
  } catch {
    return null;
  }
}
