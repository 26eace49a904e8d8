/** What one can do with a row: reply, copy, stop. Each is a button with a name, seen when it matters. */

import { useEffect, useState } from "preact/hooks";
import { useLanguage, usePage } from "../layout/context";

export function ReplyButton({ eventId }: { readonly eventId: string }) {
  const { composing } = usePage();
  const { words } = useLanguage();
  return (
    <button
      type="button"
      class="quiet row-action"
      data-action="reply"
      onClick={() => {
        composing.replyTo.value = eventId;
        document.getElementById("composer-text")?.focus();
      }}
    >
      {words["row.reply"]}
    </button>
  );
}

/** Copies a text; `name` says which one where "Copy" alone would not. */
export function CopyButton({ text, name }: { readonly text: string; readonly name?: string }) {
  const { words } = useLanguage();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Without the permission nothing was copied, and the button says so by not changing.
    }
  };
  return (
    <button
      type="button"
      class="quiet row-action"
      data-action="copy"
      aria-label={copied ? undefined : name}
      onClick={() => void copy()}
    >
      {copied ? words["row.copied"] : words["row.copy"]}
    </button>
  );
}
