/** A text in Markdown as elements. */

export function Markdown({ text }: { readonly text: string; readonly foldKey: string; readonly streaming?: boolean }) {
  return <div class="md plain-text">{text}</div>;
}
