export type ReadableHtml = { title: string | null; text: string; links: { text: string; url: string }[] };

/** Elements whose content is skipped up to their end tag. */
const unread = new Set(["script", "style", "noscript", "template", "svg", "iframe", "object", "textarea", "select"]);
const blocks = new Set(
  "address article aside blockquote body br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody td th tr ul".split(
    " ",
  ),
);
const entities = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
  ["copy", "©"],
  ["reg", "®"],
  ["hellip", "…"],
  ["ndash", "–"],
  ["mdash", "—"],
  ["lsquo", "‘"],
  ["rsquo", "’"],
  ["ldquo", "“"],
  ["rdquo", "”"],
  ["bull", "•"],
  ["middot", "·"],
  ["euro", "€"],
]);

/**
 * Extracts the readable part of an HTML page: its title, its text with one line per block, and its first links. Works in
 * one pass from left to right on any input; runs and fetches nothing of the page.
 */
export function readableHtml(html: string, options: { baseUrl: string; maxChars: number; maxLinks: number }): ReadableHtml {
  const { baseUrl, maxChars, maxLinks } = options;
  const pieces: string[] = [];
  const links: { text: string; url: string }[] = [];
  let title: string | null = null;
  let length = 0;
  let link: { url: string; from: number } | null = null;
  let position = 0;

  const add = (text: string) => {
    pieces.push(text);
    length += text.length;
  };

  while (position < html.length && length < maxChars * 2) {
    const open = html.indexOf("<", position);
    if (open === -1) {
      add(decodeEntities(html.slice(position)).replaceAll(/\s+/g, " "));
      break;
    }
    if (open > position) add(decodeEntities(html.slice(position, open)).replaceAll(/\s+/g, " "));
    if (html.startsWith("<!--", open)) {
      position = after(html, "-->", open + 4);
      continue;
    }
    const isTag = /[a-zA-Z/!?]/.test(html[open + 1] ?? "");
    if (!isTag) {
      add("<");
      position = open + 1;
      continue;
    }
    const end = endOfTag(html, open);
    const tag = html.slice(open, end);
    position = end;
    const name = /^<\/?([a-zA-Z][a-zA-Z0-9]*)/.exec(tag)?.[1]?.toLowerCase() ?? "";
    const isClosing = tag.startsWith("</");

    if (name === "title" && !isClosing) {
      const close = indexOfClosing(html, "title", position);
      title ??= squeeze(decodeEntities(html.slice(position, close)));
      position = close;
    } else if (unread.has(name) && !isClosing && !tag.endsWith("/>")) {
      position = indexOfClosing(html, name, position);
    } else if (name === "a") {
      if (link) links.push({ text: squeeze(pieces.slice(link.from).join("")).slice(0, 200), url: link.url });
      const url = isClosing || links.length >= maxLinks ? null : resolve(attribute(tag, "href"), baseUrl);
      link = url ? { url, from: pieces.length } : null;
    } else if (blocks.has(name)) {
      add("\n");
      if (name === "li" && !isClosing) add("- ");
      if ((name === "td" || name === "th") && !isClosing) add("\t");
    }
  }

  const text = pieces
    .join("")
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/ ?\n[ \n]*/g, "\n")
    .trim();
  return { title: title || null, text: text.slice(0, maxChars).toWellFormed(), links: links.filter(({ text }) => text !== "") };
}

/** Returns the index behind the ">" of the tag at `open`; a ">" inside quotes does not count. Without one, returns the text's length. */
function endOfTag(html: string, open: number): number {
  let quote = "";
  for (let index = open + 1; index < html.length; index += 1) {
    const character = html[index] ?? "";
    if (quote) {
      if (character === quote) quote = "";
    } else if (character === ">") {
      return index + 1;
    } else if ((character === '"' || character === "'") && html[index - 1] === "=") {
      quote = character;
    }
  }
  return html.length;
}

function indexOfClosing(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}`, "gi");
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)'|([^\\s>]*))`, "i").exec(tag);
  return found ? decodeEntities(found[1] ?? found[2] ?? found[3] ?? "") : null;
}

function resolve(href: string | null, baseUrl: string): string | null {
  const url = href === null ? null : URL.parse(href, baseUrl);
  return url && (url.protocol === "http:" || url.protocol === "https:") ? url.href : null;
}

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (whole, decimal, hexadecimal, name) => {
    if (name) return entities.get(name) ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : "\uFFFD";
  });
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
