import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";

// Runs as its own process, started from this file: it imports only packages, because no bundler resolves its imports.

export type PageTask = { html: string; url: string };
/** `isArticle`: the page was reduced to its article, without menus and other surroundings. */
export type PageAnswer = { title: string | null; markdown: string; isArticle: boolean; scripts: number };

/** Elements without readable content. */
const unread = "script, style, noscript, template, svg, iframe, object, embed, canvas, link, meta, input, select, textarea, button, dialog";
const hiddenStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
/** Shorter pages are shown whole. */
const longPageChars = 1_500;
/** The least share of the page's text for which an article is shown alone. */
const articlePart = 0.2;

process.on("message", (task: PageTask) => process.send?.(read(task)));
process.on("disconnect", () => process.exit());
// Starting is not counted as reading.
process.send?.("ready");

function read({ html, url }: PageTask): PageAnswer {
  const { document } = parseHTML(wrapped(html));
  const titleElement = document.querySelector("title");
  const title = squeezed(titleElement?.textContent ?? "");
  const scripts = document.querySelectorAll("script").length;
  removeHidden(document);
  for (const element of document.querySelectorAll(unread)) element.remove();
  resolveAddresses(document, url);
  titleElement?.remove();
  const body = squeezed(document.body.textContent ?? "") === "" ? document.documentElement : document.body;
  const whole = squeezed(body.textContent ?? "").length;
  const found = whole >= longPageChars ? articleOf(document) : null;
  const article = found && found.chars >= whole * articlePart ? found : null;
  return { title: title || null, markdown: markdownOf(article?.body ?? body), isArticle: article !== null, scripts };
}

/** Adds tags that HTML lets a page omit, because linkedom does not. */
function wrapped(html: string): string {
  if (/<html[\s>]/i.test(html)) return html;
  return `<!doctype html><html>${/<body[\s>]/i.test(html) ? html : `<head></head><body>${html}</body>`}</html>`;
}

/** Removes hidden elements, because hidden text is often meant for machines only. */
function removeHidden(document: Document): void {
  for (const element of document.querySelectorAll("[hidden], [style]")) {
    if (element.hasAttribute("hidden") || hiddenStyle.test(element.getAttribute("style") ?? "")) element.remove();
  }
  const rules = [...document.querySelectorAll("style")].flatMap((style) => [
    ...(style.textContent ?? "").matchAll(/([^{}@]+)\{([^{}]*)\}/g),
  ]);
  for (const [, selectors = "", declarations = ""] of rules) {
    if (!hiddenStyle.test(declarations)) continue;
    for (const selector of selectors.split(",").map((text) => text.trim())) {
      // Only plain classes, ids and elements; any other selector may depend on the reader's actions.
      if (!/^[a-z]*(?:[.#][\w-]+)+$/i.test(selector)) continue;
      for (const element of document.querySelectorAll(selector)) element.remove();
    }
  }
}

/** Makes addresses absolute; removes every address that is not http or https, so that only its text stays. */
function resolveAddresses(document: Document, url: string): void {
  const base = URL.parse(document.querySelector("base[href]")?.getAttribute("href") ?? "", url)?.href ?? url;
  for (const [selector, name] of [
    ["a[href]", "href"],
    ["img[src]", "src"],
  ] as const) {
    for (const element of document.querySelectorAll(selector)) {
      const address = URL.parse(element.getAttribute(name) ?? "", base);
      if (address && (address.protocol === "http:" || address.protocol === "https:")) element.setAttribute(name, address.href);
      else element.removeAttribute(name);
    }
  }
}

/** Returns the article of a page; null when Readability finds none. */
function articleOf(document: Document): { body: Element; chars: number } | null {
  const article = new Readability(document.cloneNode(true) as Document, { charThreshold: 0, keepClasses: true }).parse();
  if (!article?.content) return null;
  const { document: own } = parseHTML(`<!doctype html><html><body>${article.content}</body></html>`);
  return { body: own.body, chars: squeezed(article.textContent ?? "").length };
}

const squeezed = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function markdownOf(body: Element): string {
  return toMarkdown()
    .turndown(body as HTMLElement)
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function toMarkdown(): TurndownService {
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-", emDelimiter: "*" });
  service.addRule("preformatted", {
    filter: "pre",
    replacement: (_content, node) => {
      const text = (node.textContent ?? "").replace(/^\n|\s+$/g, "");
      const language = /(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]+)/.exec(
        `${(node as Element).className} ${(node as Element).querySelector("code")?.className ?? ""}`,
      )?.[1];
      const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
      const fence = "`".repeat(longest + 1);
      return `\n\n${fence}${language ?? ""}\n${text}\n${fence}\n\n`;
    },
  });
  service.addRule("cell", { filter: ["th", "td"], replacement: (content) => ` ${squeezed(content).replaceAll("|", "\\|")} |` });
  service.addRule("row", {
    filter: "tr",
    replacement: (content, node) => {
      const cells = node.childNodes.length;
      const isFirst = !node.previousSibling && (node.parentNode?.nodeName !== "TBODY" || !node.parentNode.previousSibling);
      const line = `\n|${content.trimEnd()}`;
      return isFirst ? `${line}\n|${" --- |".repeat(Math.min(cells, 50))}` : line;
    },
  });
  service.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
  service.addRule("table", { filter: "table", replacement: (content) => `\n\n${content.trim().replaceAll(/\n{2,}/g, "\n")}\n\n` });
  service.addRule("image", {
    filter: "img",
    replacement: (_content, node) => {
      const alt = squeezed((node as Element).getAttribute("alt") ?? "");
      const address = (node as Element).getAttribute("src");
      return alt && address ? `![${alt}](${address})` : alt;
    },
  });
  service.addRule("anchor", {
    filter: (node) => node.nodeName === "A" && !node.getAttribute("href"),
    replacement: (content) => content,
  });
  return service;
}
