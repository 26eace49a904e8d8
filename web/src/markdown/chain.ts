/**
 * Inline nodes as a chain while they are read: an opening sign may turn out to be text, or to wrap
 * everything after it. Links in the chain change in constant time.
 */

import type { Inline } from "./syntax";

export interface Link {
  before: Link | null;
  after: Link | null;
  /** Null for a row of signs that may open or close something; its text is in `text`. */
  node: Inline | null;
  text: string;
}

export class Chain {
  readonly first: Link = { before: null, after: null, node: null, text: "" };
  last: Link = this.first;

  push(node: Inline | null, text = ""): Link {
    const link: Link = { before: this.last, after: null, node, text };
    this.last.after = link;
    this.last = link;
    return link;
  }

  remove(link: Link): void {
    if (link.before !== null) link.before.after = link.after;
    if (link.after !== null) link.after.before = link.before;
    if (this.last === link && link.before !== null) this.last = link.before;
  }

  /** Replaces what stands between two links with one node made of it. */
  wrap(open: Link, close: Link | null, make: (inner: readonly Inline[]) => Inline): void {
    const node = make(nodesBetween(open, close));
    const link: Link = { before: open, after: close, node, text: "" };
    open.after = link;
    if (close === null) this.last = link;
    else close.before = link;
  }

  nodes(): readonly Inline[] {
    return nodesBetween(this.first, null);
  }
}

/** The nodes after `open` and before `close`, with neighbouring texts joined. */
function nodesBetween(open: Link, close: Link | null): readonly Inline[] {
  const nodes: Inline[] = [];
  let text = "";
  const flush = () => {
    if (text !== "") nodes.push({ is: "text", text });
    text = "";
  };
  for (let link = open.after; link !== null && link !== close; link = link.after) {
    if (link.node === null) text += link.text;
    else if (link.node.is === "text") text += link.node.text;
    else {
      flush();
      nodes.push(link.node);
    }
  }
  flush();
  return nodes;
}
