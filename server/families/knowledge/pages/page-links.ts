/** A link of a page to another: `[[slug]]` or `[[slug|words]]`. */
export type PageLink = { slug: string; words: string | null; start: number; end: number };

const codePattern = /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))|(`+)(?!`)[\s\S]*?[^`]\2(?!`)/gm;
const linkPattern = /\[\[([^[\]|\n]{1,200})(?:\|([^[\]\n]{1,300}))?\]\]/g;
const definitionPattern = /^ {0,3}\[(\d{1,3})\]:[ \t]*(\S[^\n]*)$/gm;
const citationPattern = /(?<!\[)\[(\d{1,3})\](?![[(:])/g;

/** Code with its characters blanked, so that nothing in it is found and every place stays where it was. */
const withoutCode = (content: string): string => content.replace(codePattern, (code) => code.replace(/[^\n]/g, " "));

/** Returns a title as a slug: letters and digits in lower case, joined by hyphens; `page` when none is left. */
export function toSlug(title: string): string {
  const words = title.normalize("NFKC").toLowerCase().replace(/['’]/g, "");
  const slug = (words.match(/[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+/gu) ?? []).join("-").slice(0, 100);
  return slug.replace(/^\p{M}+|-+$/gu, "") || "page";
}

/** Finds the links of a page in their order. Code has none. */
export function findLinks(content: string): PageLink[] {
  return [...withoutCode(content).matchAll(linkPattern)].map(({ 0: whole, 1: target = "", 2: words, index }) => ({
    slug: slugOf(target),
    words: words?.trim() || null,
    start: index,
    end: index + whole.length,
  }));
}

/** A slug as it is written in a link: capitals do not count, and spaces stand for hyphens. */
const slugOf = (target: string): string => (/[^\p{L}\p{M}\p{N}-]/u.test(target) ? toSlug(target) : target.trim().toLowerCase());

/** Replaces links; null leaves one as it is. */
export function replaceLinks(content: string, replacement: (link: PageLink) => string | null): string {
  let result = "";
  let at = 0;
  for (const link of findLinks(content)) {
    const text = replacement(link);
    if (text === null) continue;
    result += content.slice(at, link.start) + text;
    at = link.end;
  }
  return result + content.slice(at);
}

/** The source that a page names for `[number]`, and the place there. */
export type WrittenCitation = { number: number; name: string; sourceId: string | null; part: number | null };

const idPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const placePattern = /[?&](?:page|part)=(\d{1,6})|,?\s*(?:pages?|pp?\.|part)\s*(\d{1,6})\s*$/i;

/**
 * Finds the citations of a page. Each `[n]` is defined by a line such as `[1]: report.pdf, p. 12`, or
 * `[1]: /knowledge/sources/<id>?page=12 "report.pdf"`; one without such a line names no source.
 */
export function findCitations(content: string): WrittenCitation[] {
  const text = withoutCode(content);
  const found = new Map<number, WrittenCitation>();
  for (const [, digits = "", target = ""] of text.matchAll(definitionPattern)) {
    const number = Number(digits);
    if (!found.has(number)) found.set(number, { number, ...readTarget(target) });
  }
  for (const [, digits = ""] of text.matchAll(citationPattern)) {
    const number = Number(digits);
    if (!found.has(number)) found.set(number, { number, name: "", sourceId: null, part: null });
  }
  return [...found.values()].sort((a, b) => a.number - b.number);
}

function readTarget(target: string): Omit<WrittenCitation, "number"> {
  const titled = /^(\S+)\s+"([^"]*)"\s*$/.exec(target);
  const address = titled?.[1] ?? target;
  const place = placePattern.exec(titled ? address : target.trim());
  const part = place ? Number(place[1] ?? place[2]) : null;
  const sourceId = address.startsWith("/knowledge/sources/") ? (idPattern.exec(address)?.[0].toLowerCase() ?? null) : null;
  const name = titled?.[2] ?? target.trim().replace(placePattern, "").trim();
  return { name: name.slice(0, 300), sourceId, part };
}

/** Returns the first words of a page as one line, for lists. */
export function firstWords(content: string, characters = 200): string {
  const plain = content
    .replace(codePattern, " ")
    .replace(definitionPattern, "")
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*(?:#|\||>|---)/.test(line))
    .join(" ");
  const words = replaceLinks(plain, ({ slug, words }) => words ?? slug)
    .replace(/[*_`]|\s*\[\d+\]/g, "")
    .replace(/\s+/g, " ")
    .trim();
  if (words.length <= characters) return words;
  return `${words
    .slice(0, characters)
    .toWellFormed()
    .replace(/\s\S*$/, "")}…`;
}
