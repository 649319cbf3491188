import { defaultEscalatePatterns } from "@/contracts/tools/surface";
import type { Tool, ToolEffect, ToolSource } from "@/contracts/tools/tools";
import { wordParts } from "./word-parts";

/** The facts about a tool that decide its surface. */
export type SurfacedTool = {
  source: ToolSource;
  /** The name on the tool's server, because an alias chosen by an admin says nothing about the tool. */
  rawName: string;
  effect: ToolEffect;
  surfaceOverride: Tool["surface"] | null;
};

export type Surface = {
  surface: Tool["surface"];
  reason: string;
  /** The default escalate word in the name of a natural tool, whose calls therefore ask a person. */
  sensitiveVerb: string | null;
};

/** The workspace's settings that decide surfaces. */
export type SurfaceSettings = {
  /** The workspace's own escalate words; null for the default words. */
  escalatePatterns: readonly string[] | null;
  /** Null when no tool carries out escalated tools. */
  bridge: BridgeState | null;
};

/** The tool that carries out escalated tools. While it is not connected, hidden tools would be unreachable. */
export type BridgeState = { name: string; isConnected: boolean };

/** Verbs of reading and trying out: `get_swap_rate`, `simulate_transfer` and `list_fund_holders` change nothing. */
const lookingVerbs: ReadonlySet<string | undefined> = new Set(
  "check compile compute count describe display estimate explain fetch find get is list lookup preview query quote read search show simulate status test validate verify view".split(
    " ",
  ),
);
/** A second action follows these words: `check_and_send` sends. */
const joints = new Set(["and", "then", "or"]);

/**
 * Classifies a tool: models call a `natural` tool themselves and an `escalate` tool only through the bridge. An admin's
 * override wins; otherwise tools that ship with Handrail are natural. The default escalate words are a guess, so they
 * hide a tool only when the bridge is connected, and otherwise make its calls ask a person.
 */
export function classifySurface(tool: SurfacedTool, { escalatePatterns, bridge }: SurfaceSettings): Surface {
  if (tool.surfaceOverride) return { surface: tool.surfaceOverride, reason: "Set by an admin.", sensitiveVerb: null };
  if (tool.source === "builtin" || tool.source === "provider") return natural("It ships with Handrail or with the model's provider.");
  const words = wordParts(tool.rawName);
  const patterns = escalatePatterns ?? defaultEscalatePatterns;
  const found = patterns.find((pattern) => hasInOrder(words, wordParts(pattern)));
  if (found === undefined) return natural("No word of its name is one of the escalate words.");
  // An admin's own words count whatever a server says about its tools.
  if (isDefault(patterns)) {
    if (tool.effect === "read") return natural(`Its name has the word "${found}", but its source says that it only reads.`);
    if (onlyLooks(words)) return natural(`Its name has the word "${found}", but begins with a verb of looking or trying out.`);
    if (!bridge?.isConnected) {
      return {
        ...natural(
          `Its name has the word "${found}", and ${bridge ? `${bridge.name} has no pipeline` : "no tool could carry it out"}: its calls need approval.`,
        ),
        sensitiveVerb: found,
      };
    }
  }
  return { surface: "escalate", reason: `Its name has the word "${found}".`, sensitiveVerb: null };
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

const natural = (reason: string): Surface => ({ surface: "natural", reason, sensitiveVerb: null });
