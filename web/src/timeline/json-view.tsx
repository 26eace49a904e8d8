/** Data that the page has no words for, as bounded text. */

import { useLanguage } from "../layout/context";

const MOST = 8_000;

export function JsonView({ value }: { readonly value: unknown }) {
  return <BoundedText text={JSON.stringify(value, null, 2) ?? ""} />;
}

/** Text of a tool, cut where it would only fill the page. */
export function BoundedText({ text }: { readonly text: string }) {
  const { words, format } = useLanguage();
  const rest = text.length - MOST;
  return (
    <>
      <pre class="plain" tabIndex={0}>
        {rest > 0 ? text.slice(0, MOST) : text}
      </pre>
      {rest > 0 && <p class="cut">{words["tool.cut"](format.size(rest))}</p>}
    </>
  );
}
