import { capabilityNames } from "@/contracts/generated-tools";
import { callActions } from "@/contracts/guard/rule-subjects";
import { toolEffects, toolSources, toolSurfaces } from "@/contracts/tools/tools";
import type { GuardedTool } from "../call/guard-request";
import { mayDo } from "../call/tool-facts";
import { globFits } from "../paths/glob";

/** Kinds of tools that a pattern can name, each with the values that exist. */
const kinds: Record<string, { values: readonly string[]; of: (tool: GuardedTool) => readonly string[] }> = {
  source: { values: toolSources, of: (tool) => [tool.source] },
  effect: { values: toolEffects, of: (tool) => [tool.effect] },
  surface: { values: toolSurfaces, of: (tool) => [tool.surface] },
  needs: { values: capabilityNames, of: (tool) => tool.needs },
};

/** Kinds that only a rule can name, because they hold for calls and not for tools. */
const callKinds: typeof kinds = {
  does: { values: callActions, of: (tool) => callActions.filter((action) => mayDo(tool, action)) },
};
const allKinds = { ...kinds, ...callKinds };

/** Compiles a rule's tool pattern: a name, a glob, a kind such as `source:mcp`, or what a call does: `does:reads_path`. */
export function compileToolPattern(pattern: string): (tool: GuardedTool) => boolean {
  const [kind, value] = splitKind(pattern);
  if (kind !== null) {
    const known = Object.hasOwn(allKinds, kind) ? allKinds[kind] : undefined;
    return known ? (tool) => known.of(tool).includes(value) : () => false;
  }
  return namesOneTool(pattern) ? (tool) => tool.name === pattern : (tool) => globFits(pattern, tool.name);
}

/** Returns whether a pattern is the name of one tool, and not a glob or a kind. */
export function namesOneTool(pattern: string): boolean {
  return !/[*?:]/.test(pattern);
}

/**
 * Explains a mistake in a tool pattern and what to write instead; null without a mistake.
 * @param forRule whether the pattern may name what a call does
 */
export function toolPatternMistake(pattern: string, { forRule = false } = {}): string | null {
  const [kind, value] = splitKind(pattern);
  if (kind === null) return null;
  const usable = forRule ? allKinds : kinds;
  const known = Object.hasOwn(usable, kind) ? usable[kind] : undefined;
  if (!known) return `there is no kind "${kind}:"; use ${listed(Object.keys(usable).map((name) => `${name}:`))}, or a tool's name`;
  if (!known.values.includes(value)) return `"${kind}:" takes ${listed(known.values)}`;
  return null;
}

function splitKind(pattern: string): [kind: string | null, value: string] {
  const colon = pattern.indexOf(":");
  return colon < 0 ? [null, pattern] : [pattern.slice(0, colon), pattern.slice(colon + 1)];
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
