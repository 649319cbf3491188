import { Marked, type MarkedToken, type Token, type TokenizerAndRendererExtension, type Tokens } from "marked";
import NextLink from "next/link";
import { Fragment, memo, type ReactNode } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { decodeEntities } from "./decode-entities";
import classes from "./markdown.module.css";
import { ownPage, safeLink } from "./safe-link";

/** `[[slug]]` and `[[slug|words]]`: a page of a knowledge base. */
const pageLink: TokenizerAndRendererExtension = {
  name: "pageLink",
  level: "inline",
  start: (text) => text.indexOf("[["),
  tokenizer(text) {
    const [raw, target, words] = /^\[\[([^[\]|\n]{1,240})(?:\|([^[\]\n]{1,300}))?\]\]/.exec(text) ?? [];
    if (!raw || !target) return undefined;
    const shown = words ?? target.split("/").at(-1) ?? target;
    const href = `/knowledge?slug=${encodeURIComponent(target.trim().toLowerCase())}`;
    return { type: "link", raw, href, title: null, text: shown, tokens: [{ type: "text", raw: shown, text: shown }] };
  },
  renderer: ({ raw }) => raw,
};
const marked = new Marked({ gfm: true }, { extensions: [pageLink] });
/** Deeper lists and quotes are drawn as plain text. */
const maxDepth = 20;

/**
 * A model's answer. Its Markdown is parsed to tokens, and each token is drawn as an element of ours: no HTML of the model reaches the
 * page, links are web addresses, and images are links, because loading one would tell its host that the answer is read.
 */
export function Markdown({ text }: { text: string }) {
  const blocks = parse(text);
  const targets = JSON.stringify(blocks?.links ?? {});
  if (!blocks)
    return (
      <p className={classes.plain}>
        <RevealedText text={text} />
      </p>
    );
  return (
    <div className={classes.markdown}>
      {blocks.map((block, place) => {
        const key = place; // Only the last block of a growing text changes.
        return <TopBlock key={key} raw={block.raw} targets={targets} token={block} />;
      })}
    </div>
  );
}

/** @returns null when the text cannot be parsed, such as ten thousand nested quotes */
function parse(text: string): (Token[] & { links?: object }) | null {
  try {
    return marked.lexer(text);
  } catch {
    return null;
  }
}

/** Drawn again only when its text or the targets of references change, so that a long answer stays fast while it grows. */
const TopBlock = memo(
  ({ token }: { raw: string; targets: string; token: Token }) => <Block token={token} depth={0} />,
  (before, after) => before.raw === after.raw && before.targets === after.targets,
);

function Block({ token: given, depth }: { token: Token; depth: number }): ReactNode {
  const token = given as MarkedToken;
  if (depth > maxDepth)
    return (
      <p>
        <RevealedText text={token.raw} />
      </p>
    );
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      // No heading element, because the answer's levels do not continue those of the page.
      return (
        <p className={classes.heading} data-level={token.depth}>
          <Inline tokens={token.tokens} />
        </p>
      );
    case "code":
      return <CodeBlock label={token.lang?.split(/\s/, 1)[0] || "Code"} text={token.text} nowrap maxLines={30} />;
    case "blockquote":
      return (
        <blockquote>
          <Blocks tokens={token.tokens} depth={depth + 1} />
        </blockquote>
      );
    case "list":
      return <List list={token} depth={depth} />;
    case "table":
      return <Table table={token} />;
    case "hr":
      return <hr />;
    case "paragraph":
      return (
        <p>
          <Inline tokens={token.tokens} />
        </p>
      );
    case "text":
      return token.tokens ? <Inline tokens={token.tokens} /> : <Words text={token.text} />;
    case "html":
      return (
        <p className={classes.plain}>
          <RevealedText text={token.text} />
        </p>
      );
    default:
      return <Inline tokens={[given]} />;
  }
}

function Blocks({ tokens, depth }: { tokens: readonly Token[]; depth: number }) {
  return tokens.map((token, place) => {
    const key = place; // Tokens have no id.
    return <Block key={key} token={token} depth={depth} />;
  });
}

function List({ list, depth }: { list: Tokens.List; depth: number }) {
  const items = list.items.map((item, place) => {
    const key = place; // Items have no id.
    return (
      <li key={key} data-task={item.task || undefined}>
        {item.task ? <span className={shared.dim}>{item.checked ? "☑" : "☐"} </span> : null}
        <Blocks tokens={item.tokens.filter(({ type }) => type !== "checkbox")} depth={depth + 1} />
      </li>
    );
  });
  return list.ordered ? <ol start={typeof list.start === "number" ? list.start : 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table }: { table: Tokens.Table }) {
  const cell = ({ tokens, align, header }: Tokens.TableCell, place: number) => {
    const Cell = header ? "th" : "td";
    return (
      <Cell key={place} {...(align ? { style: { textAlign: align } } : {})}>
        <Inline tokens={tokens} />
      </Cell>
    );
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <div className={classes.table} role="group" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>{table.header.map(cell)}</tr>
        </thead>
        <tbody>
          {table.rows.map((row, place) => {
            const key = place; // Rows have no id.
            return <tr key={key}>{row.map(cell)}</tr>;
          })}
        </tbody>
      </table>
    </div>
  );
}

function Inline({ tokens, depth = 0 }: { tokens: readonly Token[]; depth?: number }): ReactNode {
  return tokens.map((token, place) => {
    const key = place; // Tokens have no id.
    return <Fragment key={key}>{depth > maxDepth ? <RevealedText text={token.raw} /> : inline(token as MarkedToken, depth)}</Fragment>;
  });
}

function inline(token: MarkedToken, depth: number): ReactNode {
  switch (token.type) {
    case "strong":
      return (
        <strong>
          <Inline tokens={token.tokens} depth={depth + 1} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inline tokens={token.tokens} depth={depth + 1} />
        </em>
      );
    case "del":
      return (
        <del>
          <Inline tokens={token.tokens} depth={depth + 1} />
        </del>
      );
    case "codespan":
      return <CodeText>{token.text}</CodeText>;
    case "br":
      return <br />;
    case "link": {
      // A citation keeps its brackets, because a bare number reads like a part of the sentence.
      const isCitation = /^\[\d{1,3}\]$/.test(token.raw);
      return (
        <Link href={token.href}>{isCitation ? <RevealedText text={token.raw} /> : <Inline tokens={token.tokens} depth={depth + 1} />}</Link>
      );
    }
    case "image":
      return (
        <Link href={token.href}>
          <RevealedText text={`Image: ${token.text || token.href}`} />
        </Link>
      );
    case "escape":
      return <RevealedText text={token.text} />;
    case "text":
      return token.tokens ? <Inline tokens={token.tokens} depth={depth + 1} /> : <Words text={token.text} />;
    default:
      return <RevealedText text={token.raw} />;
  }
}

function Words({ text }: { text: string }) {
  return <RevealedText text={decodeEntities(text)} />;
}

/** A link says its address on hover; one that is no web address is only text. */
function Link({ href, children }: { href: string; children: ReactNode }) {
  const own = ownPage(href);
  if (own) return <NextLink href={own}>{children}</NextLink>;
  const url = safeLink(href);
  if (!url) return children;
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer nofollow" title={url.href}>
      {children}
    </a>
  );
}
