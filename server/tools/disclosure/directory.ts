import { sourceLabel } from "@/contracts/tools/tools";
import type { RegisteredTool } from "../registered-tool";
import { countTokens } from "./count-tokens";
import { descriptionLine } from "./tool-words";

type Listed = Pick<RegisteredTool, "name" | "source" | "sourceName" | "shownDescription">;

export type Directory = {
  text: string;
  /** The tools are counted by source, because their lines did not fit the budget. */
  isShortened: boolean;
};

const descriptionCharacters = 80;
/** Names of tools shown for each source of a shortened directory; the most that fits is taken. */
const namesPerSource = [60, 30, 15, 8, 5, 3, 1, 0];
const nameCharacters = 40;
/** Sources that are shortened one after the other; beyond them all are shortened alike. */
const maxShortened = 40;
const heading = "Extension tools:";
const shortenedHeading = (tools: number) => `Extension tools: ${tools}, by source.`;

/** Lines are kept by the tool's object, which the catalog replaces when the configuration changes. */
const lines = new WeakMap<Listed, { text: string; tokens: number }>();

/** Returns one line of the directory: name and description. The source stands above its lines. */
export function directoryLine(tool: Listed): string {
  return lineOf(tool).text;
}

function lineOf(tool: Listed): { text: string; tokens: number } {
  const known = lines.get(tool);
  if (known) return known;
  const text = `- ${tool.name}: ${descriptionLine(tool, descriptionCharacters)}`;
  const line = { text, tokens: countTokens(`${text}\n`) };
  lines.set(tool, line);
  return line;
}

/** Characters of a builtin tool's description in a shortened directory; the most that leaves room for the sources is taken. */
const ownCharacters = [descriptionCharacters, 64, 52, 40, 32, 24];
/** Part of the budget of a shortened directory that stays for the other sources, when they need it. */
const roomForSources = 0.35;
/** Tools from which the lines of other sources need that whole part. */
const manyTools = 200;

/**
 * Writes the directory within a budget of tokens: a line for each tool; when that is too much, the source with the most
 * tools becomes one line with names first. Builtin tools keep their descriptions, cut shorter. The same tools give the same bytes.
 */
export function writeDirectory(tools: readonly Listed[], budgetTokens: number): Directory {
  if (tools.length === 0) return { text: "", isShortened: false };
  const bySource = [...Map.groupBy(tools, sourceLabel)];
  if (fits(tools, bySource, budgetTokens)) {
    const text = [heading, ...bySource.flatMap(linesOfSource)].join("\n");
    return { text, isShortened: false };
  }
  const others = bySource.filter(([, [first]]) => first?.source !== "builtin");
  const own = writeOwn(
    bySource.filter(([, [first]]) => first?.source === "builtin"),
    budgetTokens - Math.min(budgetTokens * roomForSources, tokensInFull(others)),
  );
  // Only thousands of builtin tools have no room for their lines.
  const groups = own === null ? bySource : others;
  const left = budgetTokens - countTokens(`${shortenedHeading(tools.length)}\n${own ?? ""}`);
  const parts = [shortenedHeading(tools.length), own ?? "", shortenSources(groups, left)];
  return { text: parts.filter(Boolean).join("\n"), isShortened: true };
}

/** Tokens of sources with a line for each tool; infinite when they are many. */
function tokensInFull(groups: readonly Group[]): number {
  const count = groups.reduce((sum, [, { length }]) => sum + length, 0);
  return count > manyTools ? Number.POSITIVE_INFINITY : countTokens(groups.flatMap(linesOfSource).join("\n"));
}

const linesOfSource = ([source, tools]: Group): string[] => [`${source}:`, ...tools.map(directoryLine)];

/** Returns the lines of builtin tools with descriptions as long as the budget allows; null when they do not fit at all. */
function writeOwn(groups: readonly Group[], budgetTokens: number): string | null {
  if (groups.length === 0) return "";
  for (const characters of ownCharacters) {
    const lines = groups.flatMap(([source, tools]) => [
      `${source}:`,
      ...tools.map((tool) => `- ${tool.name}: ${descriptionLine(tool, characters)}`),
    ]);
    const text = lines.join("\n");
    if (text.length < budgetTokens * 8 && countTokens(text) <= budgetTokens) return text;
  }
  return null;
}

/** Writes sources within a budget: as many as possible with a line a tool, the largest with their names. */
function shortenSources(groups: readonly Group[], budgetTokens: number): string {
  if (groups.length === 0) return "";
  const bySize = groups.toSorted((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1)).slice(0, maxShortened);
  for (let shortened = 0; shortened <= bySize.length; shortened++) {
    const short = new Set(bySize.slice(0, shortened).map(([source]) => source));
    const full = groups.filter(([source]) => !short.has(source));
    if (
      !fits(
        full.flatMap(([, tools]) => tools),
        full,
        budgetTokens,
      )
    )
      continue;
    const [most = 0] = namesPerSource;
    const text = groups.flatMap((group) => (short.has(group[0]) ? [sourceLine(group, most)] : linesOfSource(group))).join("\n");
    if (countTokens(text) <= budgetTokens) return text;
  }
  for (const names of namesPerSource) {
    const text = groups.map((group) => sourceLine(group, names)).join("\n");
    // A token has at least a character, so a long text without names needs no count.
    if (text.length < budgetTokens * 8 && countTokens(text) <= budgetTokens) return text;
  }
  return largestSources(groups, budgetTokens);
}

/** Counts tokens only until the budget is spent, because ten thousand lines take a second. */
function fits(tools: readonly Listed[], bySource: readonly Group[], budgetTokens: number): boolean {
  let left = budgetTokens - countTokens([heading, ...bySource.slice(0, budgetTokens).map(([source]) => `${source}:`)].join("\n"));
  for (const tool of tools) {
    if (left < 0) return false;
    left -= lineOf(tool).tokens;
  }
  return left >= 0;
}

type Group = [source: string, tools: Listed[]];

function sourceLine([source, tools]: Group, maxNames: number): string {
  const names = tools.slice(0, maxNames).map(shortName);
  const rest = tools.length > names.length && names.length > 0 ? ", ..." : "";
  return `- ${source}: ${tools.length}${names.length > 0 ? ` (${names.join(", ")}${rest})` : ""}`;
}

/** The name without the alias of its source, which stands before it on the line. */
function shortName({ name, sourceName }: Listed): string {
  const start = sourceName === null ? -1 : name.indexOf("__");
  return (start < 0 ? name : name.slice(start + 2)).slice(0, nameCharacters);
}

/** Lists the sources with the most tools, as many as fit, and counts the others together. */
function largestSources(groups: readonly Group[], budgetTokens: number): string {
  const total = groups.reduce((sum, [, { length }]) => sum + length, 0);
  const bySize = groups.toSorted((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  let left = budgetTokens - countTokens(lastLine(groups.length, total));
  const kept = new Set<string>();
  for (const group of bySize) {
    left -= countTokens(`${sourceLine(group, 0)}\n`);
    if (left < 0) break;
    kept.add(group[0]);
  }
  const others = groups.filter(([source]) => !kept.has(source));
  const shown = groups.filter(([source]) => kept.has(source)).map((group) => sourceLine(group, 0));
  const count = others.reduce((sum, [, { length }]) => sum + length, 0);
  return [...shown, ...(others.length > 0 ? [lastLine(others.length, count)] : [])].join("\n");
}

const lastLine = (sources: number, tools: number): string => `- ${sources} more sources: ${tools}`;
