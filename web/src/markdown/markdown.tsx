/**
 * A text in Markdown as elements. A very long one is shown in part until the user wants more of it.
 */

import { useEffect, useMemo, useRef } from "preact/hooks";
import { useLanguage, usePage } from "../layout/context";
import { documentOf, grown, type Document, type Piece } from "./document";
import { BlockView } from "./elements";
import "./markdown.css";

/** More characters than this are folded, unless the user has seen them stream. */
const AT_ONCE = 60_000;

interface Props {
  readonly text: string;
  /** Stable name for what the user opens. */
  readonly foldKey: string;
  /** Whether the text is still growing. */
  readonly streaming?: boolean;
}

export function Markdown({ text, foldKey, streaming = false }: Props) {
  const { folds } = usePage();
  const whole = folds.current.value.has(`${foldKey} whole`);
  const isLong = text.length > AT_ONCE;
  useEffect(() => {
    if (streaming && isLong) folds.set(`${foldKey} whole`, true);
  }, [streaming, isLong, folds, foldKey]);
  const cut = isLong && !whole && !streaming;
  const shown = cut ? beginningOf(text) : text;
  const document = useDocument(shown, streaming);
  return (
    <div class="md">
      {document.pieces.map((piece: Piece) => (
        <BlockView key={piece.key} block={piece.block} references={document.references} />
      ))}
      {cut && <More left={text.length - shown.length} more={() => folds.set(`${foldKey} whole`, true)} />}
    </div>
  );
}

/** What is shown of a long text: up to the end of a line, and not in the middle of a character. */
function beginningOf(text: string): string {
  const end = text.lastIndexOf("\n", AT_ONCE);
  return text.slice(0, end > AT_ONCE / 2 ? end : AT_ONCE);
}

/** The document of a text; of one that grows, made from the one before. */
function useDocument(text: string, streaming: boolean): Document {
  const before = useRef<Document | null>(null);
  return useMemo(() => {
    const document = streaming && before.current !== null ? grown(before.current, text) : documentOf(text);
    before.current = document;
    return document;
  }, [text, streaming]);
}

function More({ left, more }: { readonly left: number; readonly more: () => void }) {
  const { words, format } = useLanguage();
  return (
    <button type="button" class="md-more" onClick={more}>
      {words["timeline.more"](format.size(left))}
    </button>
  );
}
