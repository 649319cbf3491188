import type { ToolFinding } from "@/contracts/tool-findings";

/** A tool of another source, whose name or words a poisoned tool may use. */
export type Neighbour = { name: string; rawName: string; description: string; source: string };

export type Neighbours = {
  /** Returns signs that a tool steers calls of other sources' tools, or copies one of them. */
  inspect: (tool: { rawName: string; description: string }, own: ReadonlySet<string>) => ToolFinding[];
};

const identifier = /[A-Za-z][A-Za-z0-9]*(?:[_-]+[A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+/gu;
const steers =
  /\b(?:call|use|invoke|run|execute|trigger|prefer|replace[sd]?|instead of|rather than|before|after|prior to|output of|result of)\b/iu;
const shortestName = 6;
/** Share of words in common from which one description counts as a copy of another. */
const copyShare = 0.7;

/** Indexes the tools of other sources once for a whole listing. */
export function indexNeighbours(neighbours: readonly Neighbour[]): Neighbours {
  const byName = new Map<string, Neighbour>();
  for (const neighbour of neighbours) {
    byName.set(neighbour.rawName, neighbour);
    byName.set(neighbour.name, neighbour);
  }
  const named = Map.groupBy(neighbours, ({ rawName }) => rawName);
  return {
    inspect: ({ rawName, description }, own) => {
      const findings: ToolFinding[] = [];
      for (const { 0: name, index } of description.matchAll(identifier)) {
        const other = name.length >= shortestName && !own.has(name) ? byName.get(name) : undefined;
        if (!other || !steers.test(description.slice(Math.max(0, index - 40), index + name.length + 40))) continue;
        findings.push({
          check: "other_tool",
          severity: "high",
          place: "description",
          message: `It steers calls of ${other.name}, a tool of another source (${other.source}).`,
          excerpt: description
            .slice(Math.max(0, index - 60), index + 100)
            .trim()
            .toWellFormed(),
        });
        break;
      }
      const words = wordsOf(description);
      const copied = named.get(rawName)?.find((other) => {
        const share = commonShare(words, wordsOf(other.description));
        // Equal words are the same server connected twice, which is no attack.
        return share >= copyShare && share < 1;
      });
      if (copied) {
        findings.push({
          check: "shadowing",
          severity: "medium",
          place: "name",
          message: `It has the name of ${copied.name} (${copied.source}) and nearly its description, so that a model may call it instead.`,
          excerpt: description.slice(0, 160).toWellFormed(),
        });
      }
      return findings;
    },
  };
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .replace(/^\[MCP server: [^\]]*\]/, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [],
  );
}

function commonShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size < 3 || b.size < 3) return 0;
  const common = [...a].filter((word) => b.has(word)).length;
  return common / (a.size + b.size - common);
}
