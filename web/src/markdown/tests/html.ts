/** Blocks as the HTML in which CommonMark's examples are written. For tests only: the page makes elements. */

import { readInline } from "../inline";
import type { Block, Inline, References } from "../syntax";
import { plainText } from "../inline";

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The href as the examples write it: percent-encoded where an address cannot hold a character. */
const address = (href: string) => {
  let whole = href;
  try {
    whole = encodeURI(href).replace(/%25([0-9a-f]{2})/giu, "%$1");
  } catch {
    // A lone surrogate cannot be encoded; the examples have none.
  }
  return escaped(whole.replaceAll("[", "%5B").replaceAll("]", "%5D"));
};

export function inlineHtml(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => {
      switch (node.is) {
        case "text":
          return escaped(node.text);
        case "code":
          return `<code>${escaped(node.text)}</code>`;
        case "emphasis":
          return `<em>${inlineHtml(node.inline)}</em>`;
        case "strong":
          return `<strong>${inlineHtml(node.inline)}</strong>`;
        case "struck":
          return `<del>${inlineHtml(node.inline)}</del>`;
        case "break":
          return "\n";
        case "image":
          return `<img src="${address(node.href)}" alt="${escaped(node.alt)}" />`;
        case "link":
          return `<a href="${address(node.href)}"${node.title === "" ? "" : ` title="${escaped(node.title)}"`}>${inlineHtml(node.inline)}</a>`;
      }
    })
    .join("");
}

export function blocksHtml(blocks: readonly Block[], references: References, tight = false): string {
  const inline = (source: string) => inlineHtml(readInline(source, references));
  return blocks
    .map((block) => {
      switch (block.is) {
        case "paragraph":
          return tight ? `${inline(block.source)}\n` : `<p>${inline(block.source)}</p>\n`;
        case "heading":
          return `<h${block.level}>${inline(block.source)}</h${block.level}>\n`;
        case "code": {
          const language = block.language === "" ? "" : ` class="language-${escaped(block.language)}"`;
          return `<pre><code${language}>${escaped(block.text)}${block.text === "" ? "" : "\n"}</code></pre>\n`;
        }
        case "quote":
          return `<blockquote>\n${blocksHtml(block.blocks, references)}</blockquote>\n`;
        case "list": {
          const tag = block.start === null ? "ul" : "ol";
          const start = block.start === null || block.start === 1 ? "" : ` start="${block.start}"`;
          const items = block.items
            .map((item) => `<li>${blocksHtml(item.blocks, references, block.tight)}</li>\n`)
            .join("");
          return `<${tag}${start}>\n${items}</${tag}>\n`;
        }
        case "rule":
          return "<hr />\n";
        case "table":
          return `<table>${[block.head, ...block.rows].map((row) => row.map(inline).join("|")).join("\n")}</table>\n`;
      }
    })
    .join("");
}

export { plainText };
