import type { ToolFinding } from "@/contracts/tools/tool-findings";
import { hasMixedScripts, skeletonOf } from "./confusable-names";

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
  const bySkeleton = new Map(neighbours.map((neighbour) => [skeletonOf(neighbour.rawName), neighbour]));
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
      const absent = findings.length === 0 ? steeredName(description, own) : null;
      if (absent) {
        findings.push({
          check: "other_tool",
          severity: absent.severity,
          place: "description",
          message: `It gives orders about calls of ${absent.name}, which is no tool of its server.`,
          excerpt: absent.excerpt,
        });
      }
      const twin = bySkeleton.get(skeletonOf(rawName));
      if ((twin && twin.rawName !== rawName) || hasMixedScripts(rawName)) {
        findings.push({
          check: "confusable_name",
          severity: "high",
          place: "name",
          message:
            twin && twin.rawName !== rawName
              ? `Its name looks like that of ${twin.name} (${twin.source}) and is another one.`
              : "Its name mixes letters of several alphabets that look alike.",
          excerpt: JSON.stringify(rawName)
            .slice(0, 160)
            .replaceAll(/[^ -~]/gu, (sign) => `U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`),
        });
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

/** Orders about how another tool is called, where NAME stands for its name. */
const ordersAbout =
  /\b(?:when(?:ever)?|every time|each time|any time|before|after|if)\b[^.!?\n]{0,40}?\b(?:call|use|using|calling|invoke|invoking|run|running|executing)\b[^.!?\n]{0,30}?NAME[^.!?\n]{0,80}?\b(?:must|should|always|also|first|remember to|make sure|be sure)\b|NAME\b[^.!?\n]{0,40}?\b(?:is|are|was) (?:called|used|invoked|available|run|executed)\b[^.!?\n]{0,80}?\b(?:must|should|always|also|add|set|bcc|include|send|replace|change)\b/iu;
/** What makes a model prefer this tool to another one; common between servers of one maker. */
const prefersItself =
  /NAME\b[^.!?\n]{0,20}\b(?:is|has been) (?:deprecated|broken|unsafe|insecure|disabled|compromised|outdated|unreliable)\b|\b(?:instead of|rather than|in place of|never use|stop using)\b(?: the)? ["'`]?NAME\b["'`]?(?: (?:tool|function))?/iu;

/** Finds the name of a tool that is not the server's own, whose calls a description gives orders about. */
function steeredName(
  description: string,
  own: ReadonlySet<string>,
): { name: string; severity: ToolFinding["severity"]; excerpt: string } | null {
  for (const { 0: name, index } of description.slice(0, 16_000).matchAll(identifier)) {
    if (name.length < shortestName || own.has(name)) continue;
    const around = description.slice(Math.max(0, index - 90), index + name.length + 140);
    // The name is a word of the text: a place holder of the pattern's own stands for it, so that it is never read as a pattern.
    const read = around.replaceAll(name, "NAME");
    const severity = ordersAbout.test(read) ? "high" : prefersItself.test(read) ? "medium" : null;
    if (!severity) continue;
    return {
      name,
      severity,
      excerpt: description
        .slice(Math.max(0, index - 60), index + 100)
        .trim()
        .toWellFormed(),
    };
  }
  return null;
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
