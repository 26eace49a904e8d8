/** Draws blocks and inline nodes as elements and text, and nothing else. */

import { Fragment } from "preact";
import { useLanguage } from "../layout/context";
import { CopyButton } from "../timeline/row-actions";
import { memo } from "../timeline/memo";
import { readInline } from "./inline";
import { safeHref } from "./links";
import type { Align, Block, Inline, Item, References } from "./syntax";

interface BlockProps {
  readonly block: Block;
  readonly references: References;
  readonly tight?: boolean;
}

export const BlockView = memo(function BlockView({ block, references, tight = false }: BlockProps) {
  switch (block.is) {
    case "paragraph": {
      const inline = <Text source={block.source} references={references} />;
      return tight ? inline : <p>{inline}</p>;
    }
    case "heading":
      return <Heading level={block.level} source={block.source} references={references} />;
    case "code":
      return <Code language={block.language} text={block.text} />;
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} references={references} />
        </blockquote>
      );
    case "list": {
      const items = block.items.map((item, at) => (
        <ItemView key={at} item={item} tight={block.tight} references={references} />
      ));
      return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
    case "table":
      return <Table block={block} references={references} />;
    case "rule":
      return <hr />;
  }
});

function Blocks({
  blocks,
  references,
  tight = false,
}: {
  readonly blocks: readonly Block[];
  readonly references: References;
  readonly tight?: boolean;
}) {
  return (
    <>
      {blocks.map((block, at) => (
        <BlockView key={at} block={block} references={references} tight={tight} />
      ))}
    </>
  );
}

function ItemView({
  item,
  tight,
  references,
}: {
  readonly item: Item;
  readonly tight: boolean;
  readonly references: References;
}) {
  const task = item.done !== null;
  return (
    <li class={task ? "task" : undefined}>
      {task && <span class="task-box">{item.done === true ? "☑ " : "☐ "}</span>}
      <Blocks blocks={item.blocks} references={references} tight={tight} />
    </li>
  );
}

/** Below the page's own headings: an answer's first level is the row's third. */
function Heading({
  level,
  source,
  references,
}: {
  readonly level: number;
  readonly source: string;
  readonly references: References;
}) {
  const text = <Text source={source} references={references} />;
  const shown = `md-h${level}`;
  if (level <= 1) return <h3 class={shown}>{text}</h3>;
  if (level === 2) return <h4 class={shown}>{text}</h4>;
  if (level === 3) return <h5 class={shown}>{text}</h5>;
  return <h6 class={shown}>{text}</h6>;
}

function Code({ language, text }: { readonly language: string; readonly text: string }) {
  const { words } = useLanguage();
  return (
    <figure class="code">
      <figcaption>
        <span>{language === "" ? words["code.plain"] : language}</span>
        <CopyButton text={text} name={words["code.copy"]} />
      </figcaption>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

type TableBlock = Extract<Block, { is: "table" }>;

function Table({ block, references }: { readonly block: TableBlock; readonly references: References }) {
  const side = (at: number) => sideOf(block.align[at] ?? null);
  return (
    <div class="table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {block.head.map((cell, at) => (
              <th key={at} scope="col" class={side(at)}>
                <Text source={cell} references={references} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, line) => (
            <tr key={line}>
              {row.map((cell, at) => (
                <td key={at} class={side(at)}>
                  <Text source={cell} references={references} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function sideOf(align: Align): string | undefined {
  return align === null ? undefined : `side-${align}`;
}

const Text = memo(function Text({
  source,
  references,
}: {
  readonly source: string;
  readonly references: References;
}) {
  return <InlineView nodes={readInline(source, references)} />;
});

function InlineView({ nodes }: { readonly nodes: readonly Inline[] }) {
  return (
    <>
      {nodes.map((node, at) => (
        <Fragment key={at}>{drawn(node)}</Fragment>
      ))}
    </>
  );
}

function drawn(node: Inline) {
  switch (node.is) {
    case "text":
      return node.text;
    case "code":
      return <code>{node.text}</code>;
    case "emphasis":
      return (
        <em>
          <InlineView nodes={node.inline} />
        </em>
      );
    case "strong":
      return (
        <strong>
          <InlineView nodes={node.inline} />
        </strong>
      );
    case "struck":
      return (
        <s>
          <InlineView nodes={node.inline} />
        </s>
      );
    case "break":
      return <br />;
    case "image":
      return (
        <Outward
          href={node.href}
          title=""
          inline={[{ is: "text", text: node.alt === "" ? node.href : node.alt }]}
        />
      );
    case "link":
      return <Outward href={node.href} title={node.title} inline={node.inline} />;
  }
}

/** A link that opens in its own tab and tells nobody where it came from; text, where it may not open. */
function Outward({
  href,
  title,
  inline,
}: {
  readonly href: string;
  readonly title: string;
  readonly inline: readonly Inline[];
}) {
  const safe = safeHref(href);
  if (safe === null) {
    return (
      <span title={href}>
        <InlineView nodes={inline} />
      </span>
    );
  }
  return (
    <a
      href={safe}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={title === "" ? safe : `${title} (${safe})`}
    >
      <InlineView nodes={inline} />
    </a>
  );
}
