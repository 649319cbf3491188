import { defaultEscalatePatterns } from "@/contracts/surface";
import type { Tool, ToolEffect, ToolSource } from "@/contracts/tools";
import { wordParts } from "./word-parts";

/** What decides on which side of the wall a tool stands. */
export type Surfaced = {
  source: ToolSource;
  /** The name under which its server knows it: an alias that an admin chose says nothing about the tool. */
  rawName: string;
  effect: ToolEffect;
  surfaceOverride: Tool["surface"] | null;
};

export type Surface = { surface: Tool["surface"]; reason: string };

/** Verbs of looking and of trying out: `get_swap_rate`, `simulate_transfer` and `list_fund_holders` change nothing. */
const lookingVerbs: ReadonlySet<string | undefined> = new Set(
  "check compile compute count describe display estimate explain fetch find get is list lookup preview query quote read search show simulate status test validate verify view".split(
    " ",
  ),
);
/** After one of these something else is done: `check_and_send` sends. */
const joints = new Set(["and", "then", "or"]);

/**
 * Whether models may call a tool themselves (`natural`), or it is reached through `core_execute` only (`escalate`), and why.
 * An admin's word about one tool counts before everything; tools that ship with Handrail are natural otherwise.
 * @param escalatePatterns the workspace's own words; null for the default ones
 */
export function surfaceOf(tool: Surfaced, escalatePatterns: readonly string[] | null): Surface {
  if (tool.surfaceOverride) return { surface: tool.surfaceOverride, reason: "An admin decided so." };
  if (tool.source === "builtin" || tool.source === "provider") return natural("It ships with Handrail or with the model's provider.");
  const words = wordParts(tool.rawName);
  const patterns = escalatePatterns ?? defaultEscalatePatterns;
  const found = patterns.find((pattern) => hasInOrder(words, wordParts(pattern)));
  if (found === undefined) return natural("No word of its name is one of the escalate words.");
  // Only the default words are a guess. What an admin wrote counts, whatever a server says of its tools.
  if (isDefault(patterns)) {
    if (tool.effect === "read") return natural(`Its name has the word "${found}", but its source says that it only reads.`);
    if (onlyLooks(words)) return natural(`Its name has the word "${found}", but begins with a verb of looking or trying out.`);
  }
  return { surface: "escalate", reason: `Its name has the word "${found}".` };
}

export function isDefault(patterns: readonly string[]): boolean {
  return patterns.length === defaultEscalatePatterns.length && defaultEscalatePatterns.every((word) => patterns.includes(word));
}

function onlyLooks(words: readonly string[]): boolean {
  const [first, second] = words;
  const begins = first === "dry" ? second === "run" : lookingVerbs.has(first) || first === "dryrun";
  return begins && !words.some((word) => joints.has(word));
}

function hasInOrder(words: readonly string[], wanted: readonly string[]): boolean {
  return wanted.length > 0 && words.some((_word, start) => wanted.every((part, index) => words[start + index] === part));
}

const natural = (reason: string): Surface => ({ surface: "natural", reason });
