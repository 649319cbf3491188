import { parseHTML } from "linkedom";
import { DocumentError } from "../document-error.ts";
import type { Extracted } from "../document-task.ts";
import { decodeText } from "./decode-text.ts";
import { FlowText } from "./flow-text.ts";
import { addCoveredCells, removeUnseen } from "./html-cells.ts";
import { LeftOut } from "./left-out.ts";
import { TextBudget } from "./text-budget.ts";

const maxBytes = 8 * 1_048_576;
/** Elements without readable content. */
const unread = "script, style, noscript, template, svg, iframe, object, embed, canvas, head, title, select, textarea, button";
const blocks = new Set(
  "address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header html li main nav ol p pre section summary ul".split(
    " ",
  ),
);

/** Extracts the text of an HTML file as Markdown: headings, lists, tables. Nothing that the file names is loaded. */
export function readHtml(bytes: Uint8Array, maxChars: number, encoding?: string): Extracted {
  if (bytes.byteLength > maxBytes) throw new DocumentError("too_large", "The page has more than 8 MiB. Read a part of it as text.");
  const { text: html, notes } = decodeText(bytes, encoding);
  const budget = new TextBudget(maxChars);
  const leftOut = new LeftOut();
  addHtml(html, budget, leftOut);
  return {
    text: budget.toString(),
    method: "page text",
    extent: "the whole page",
    isTruncated: budget.isTruncated,
    notes: [...notes, ...leftOut.sentences()],
  };
}

/** Adds the text of a page. What a browser would not show is left out and counted. */
export function addHtml(html: string, budget: TextBudget, leftOut: LeftOut): void {
  const { document } = parseHTML(withTags(html));
  const title = document.querySelector("title")?.textContent?.trim();
  leftOut.add("character of hidden text", removeUnseen(document));
  for (const element of document.querySelectorAll(unread)) element.remove();
  addCoveredCells(document);
  if (title) budget.add(`Title: ${title.replaceAll(/\s+/g, " ").slice(0, 300)}`);
  const flow = new FlowText(budget);
  flow.openParagraph();
  walk(document.documentElement, flow, budget, leftOut);
  flow.closeParagraph();
}

/** Adds the tags that HTML lets a page omit, because linkedom does not. A page may also begin with others, as mails do. */
const withTags = (html: string): string =>
  /^\s*(?:<!--[\s\S]*?-->\s*|<!doctype[^>]*>\s*|<\?xml[^>]*>\s*)*<html[\s>]/i.test(html)
    ? html
    : `<!doctype html><html><body>${html.replaceAll(/<!doctype[^>]*>|<\/?(?:html|body)(?:\s[^>]*)?>/gi, "")}</body></html>`;

/** Walks all nodes in order without recursion, because a hostile page is nested as deep as it likes. */
function walk(root: Node, flow: FlowText, budget: TextBudget, leftOut: LeftOut): void {
  let node: Node | null = root;
  let listDepth = 0;
  let preformatted = 0;
  const enter = (element: Element) => {
    const name = element.localName;
    const mark = marks[name];
    if (name === "br") flow.addText("\n");
    else if (mark && element.textContent?.trim()) flow.addText(mark);
    else if (name === "a" && linkOf(element)) flow.addText("[");
    else if (name === "img") {
      const text = element.getAttribute("alt")?.replaceAll(/\s+/g, " ").trim();
      if (text) flow.addText(`[Picture: ${text.slice(0, 500)}]`);
      leftOut.add("picture");
    } else if (name === "table") flow.openTable();
    else if (name === "ul" || name === "ol") listDepth += 1;
    else if (name === "pre") preformatted += 1;
    if (blocks.has(name) || name === "td" || name === "th") {
      flow.closeParagraph();
      flow.openParagraph(prefixOf(element, listDepth));
    }
  };
  const leave = (element: Element) => {
    const name = element.localName;
    const mark = marks[name];
    if (mark && element.textContent?.trim()) flow.addText(mark);
    else if (name === "a" && linkOf(element)) flow.addText(`](${linkOf(element)})`);
    if (blocks.has(name) || name === "td" || name === "th") {
      flow.closeParagraph();
      if (name === "td" || name === "th") flow.closeCell();
      flow.openParagraph();
    }
    if (name === "tr") flow.closeRow();
    else if (name === "table") flow.closeTable();
    else if (name === "ul" || name === "ol") listDepth -= 1;
    else if (name === "pre") preformatted -= 1;
  };
  while (node && !budget.isFull) {
    if (node.nodeType === 1) enter(node as Element);
    else if (node.nodeType === 3) {
      const text = node.textContent ?? "";
      flow.addText(preformatted > 0 ? text : text.replaceAll(/\s+/g, " "));
    }
    if (node.firstChild) {
      node = node.firstChild;
      continue;
    }
    while (node) {
      if (node.nodeType === 1) leave(node as Element);
      if (node === root) return;
      if (node.nextSibling) {
        node = node.nextSibling;
        break;
      }
      node = node.parentNode;
    }
  }
}

/** Signs around text that means something else without them. */
const marks: Readonly<Record<string, string>> = { sup: "^", sub: "~", s: "~~", del: "~~", strike: "~~" };

/** Returns the address of a link whose text is not the address. A link around blocks is only its text. */
function linkOf(element: Element): string | null {
  const address = element.getAttribute("href")?.trim() ?? "";
  const text = element.textContent?.trim() ?? "";
  if (!/^(?:https?|mailto):/i.test(address) || text === "" || text === address || `mailto:${text}` === address) return null;
  return element.querySelector("p, div, table, li, h1, h2, h3, h4, h5, h6") ? null : address.replaceAll(/[\s()]/g, encodeURIComponent);
}

function prefixOf(element: Element, listDepth: number): string {
  const level = /^h([1-6])$/.exec(element.localName)?.[1];
  if (level) return `${"#".repeat(Number(level))} `;
  if (element.localName === "blockquote") return "> ";
  if (element.localName !== "li") return "";
  return `${"  ".repeat(Math.min(8, Math.max(0, listDepth - 1)))}${element.parentElement?.localName === "ol" ? "1." : "-"} `;
}
