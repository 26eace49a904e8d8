/** What a Markdown text is made of. There is no node for HTML: markup in a text is text. */

/** A block of lines. */
export type Block =
  /** `source` is inline Markdown, read when it is drawn. */
  | { readonly is: "paragraph"; readonly source: string }
  | { readonly is: "heading"; readonly level: number; readonly source: string }
  | { readonly is: "code"; readonly language: string; readonly text: string }
  | { readonly is: "quote"; readonly blocks: readonly Block[] }
  | {
      readonly is: "list";
      readonly start: number | null;
      readonly tight: boolean;
      readonly items: readonly Item[];
    }
  | {
      readonly is: "table";
      readonly align: readonly Align[];
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly is: "rule" };

/** An item of a list. */
export interface Item {
  readonly blocks: readonly Block[];
  /** Null when the item is no task. */
  readonly done: boolean | null;
}

/** How a column of a table is set. */
export type Align = "left" | "center" | "right" | null;

/** What stands within a line. */
export type Inline =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "code"; readonly text: string }
  | { readonly is: "emphasis" | "strong" | "struck"; readonly inline: readonly Inline[] }
  | { readonly is: "link"; readonly href: string; readonly title: string; readonly inline: readonly Inline[] }
  /** Never loaded: shown as a link. */
  | { readonly is: "image"; readonly href: string; readonly alt: string }
  | { readonly is: "break" };

/** Where a label points to. */
export interface Reference {
  readonly href: string;
  readonly title: string;
}

/** Link targets by their normalized label. */
export type References = Map<string, Reference>;

/** A label as labels are compared: without regard to case and white space. */
export function labelOf(text: string): string {
  return text.trim().replace(/\s+/gu, " ").toLowerCase().toUpperCase();
}
