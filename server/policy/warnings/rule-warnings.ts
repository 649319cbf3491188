import { actionOfSubject, actionWords, type CallAction, type RuleWarning, subjectOfAction } from "@/contracts/guard/rule-subjects";
import { type OpenPattern, openPattern, type PatternText } from "@/contracts/lib/open-patterns";
import type { GuardedTool } from "@/server/guard/call/guard-request";
import { mayDo, runsCommands } from "@/server/guard/call/tool-facts";
import { holdsElsewhere } from "@/server/guard/matching/compile-rule";
import { compileToolPattern, namesOneTool, toolPatternMistake } from "@/server/guard/matching/tool-pattern";
import { isPathName } from "@/server/guard/paths/path-name";
import { editDistance } from "@/server/platform/edit-distance";
import type { ArgumentNames } from "./argument-names";
import { machineProgramWarning, type WarnedRule } from "./machine-programs";

type WorkspaceTool = Pick<GuardedTool, "name" | "source" | "effect" | "needs" | "primaryArgument"> & GuardedTool;

/**
 * Returns what a usable rule may not mean: a tool that does not exist, a pattern that is open, a machine that is given away,
 * doors that stay open.
 */
export function ruleWarnings(rule: WarnedRule, tools: readonly WorkspaceTool[], argumentNames: ArgumentNames = new Map()): RuleWarning[] {
  // A pattern that cannot be used is refused elsewhere.
  if (toolPatternMistake(rule.tool, { forRule: true })) return [];
  const unknown = unknownTool(rule, tools);
  if (unknown) return [unknown];
  const found = [openEnd(rule, tools), machineProgramWarning(rule, tools), openDoors(rule, tools, argumentNames)];
  return found.filter((warning) => warning !== null);
}

const maxShownDoors = 6;
const consequences = {
  allow: "so the rule never allows anything",
  deny: "so the rule never denies anything",
  require_approval: "so the rule never asks about anything",
} as const;

function unknownTool({ tool, verdict }: WarnedRule, tools: readonly WorkspaceTool[]): RuleWarning | null {
  if (tools.some(compileToolPattern(tool)) || tool.includes(":") || tool === "*") return null;
  const [nearest] = tools
    .map(({ name }) => ({ name, edits: editDistance(tool.slice(0, 100), name) }))
    .filter(({ name, edits }) => edits <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.edits - b.edits);
  const instead = namesOneTool(tool) && nearest ? { tool: nearest.name } : null;
  const what = namesOneTool(tool) ? `There is no tool named ${tool}` : `No tool's name fits ${tool}`;
  const remedy = instead ? `Did you mean ${instead.tool}?` : "GET /api/v1/tools lists the names.";
  return { kind: "unknown_tool", field: "tool", message: `${what}, ${consequences[verdict]}. ${remedy}`, doors: [], instead };
}

const textOfAction: Record<CallAction, PatternText> = {
  runs_commands: "command",
  reads_path: "path",
  writes_path: "path",
  connects_to: "host",
};

/** Returns the kind of text that a rule's pattern sees; null when nothing certain is known about it. */
export function patternTextOf(
  { tool, parameter }: Pick<WarnedRule, "tool" | "parameter">,
  tools: readonly WorkspaceTool[],
): PatternText | null {
  const action = actionOfSubject(tool);
  if (action) return textOfAction[action];
  const covered = tools.filter(compileToolPattern(tool));
  const kinds = new Set(covered.map((one) => textOfArgument(one, parameter ?? one.primaryArgument)));
  const [only] = kinds;
  return kinds.size === 1 ? (only ?? null) : null;
}

const commandNames = /^(?:command|cmd)$/;

function textOfArgument(tool: WorkspaceTool, argument: string | null): PatternText | null {
  const name = argument?.replace(/^\//, "") ?? "";
  if ((runsCommands(tool) && name === tool.primaryArgument) || commandNames.test(name)) return "command";
  if (/^ur[il]$/i.test(name)) return "url";
  return isPathName(name) ? "path" : null;
}

function openEnd(rule: WarnedRule, tools: readonly WorkspaceTool[]): RuleWarning | null {
  if (rule.verdict !== "allow" || rule.pattern === null) return null;
  const text = patternTextOf(rule, tools);
  const open: OpenPattern | null = text && openPattern(rule.pattern, text);
  if (!text || !open) return null;
  const remedy = open.closed === null ? "End it where a word ends." : `Write ${open.closed} to match what it says and nothing longer.`;
  return {
    kind: "open_pattern",
    field: "pattern",
    message: `The pattern ends within a ${endsWithin[text]}, so it may match a longer one, too. ${remedy}`,
    doors: [],
    instead: open.closed === null ? null : { pattern: open.closed },
  };
}

const endsWithin: Record<PatternText, string> = { command: "word", path: "name", host: "host", url: "host or path" };

/** Returns the warning about tools that do the same as the rule's tools and that the rule does not hold for. */
function openDoors(rule: WarnedRule, tools: readonly WorkspaceTool[], argumentNames: ArgumentNames): RuleWarning | null {
  if (rule.verdict === "allow" || actionOfSubject(rule.tool) || rule.tool === "*" || holdsElsewhere(rule)) return null;
  const covers = compileToolPattern(rule.tool);
  const covered = tools.filter(covers);
  const action = actionOf(rule, covered);
  if (!action) return null;
  const isDoor = (tool: WorkspaceTool) =>
    isBuiltin(tool) ? mayDo(tool, action) : argumentsSay(action, argumentNames.get(tool.name) ?? [], tool);
  const open = tools.filter((tool) => !covers(tool) && isDoor(tool));
  const doors = open.toSorted((a, b) => widthOf(a) - widthOf(b)).map(({ name }) => name);
  if (doors.length === 0) return null;
  const shown = doors.slice(0, maxShownDoors).join(", ");
  const more = doors.length > maxShownDoors ? ` and ${doors.length - maxShownDoors} more` : "";
  // A pattern of a URL is none of a host, and a comparison is about an argument of the tool.
  const isSame = (rule.pattern === null || action !== "connects_to") && rule.comparisons.length === 0;
  const subject = subjectOfAction(action);
  return {
    kind: "open_doors",
    field: "tool",
    message: `Other tools do the same, and the rule does not hold for them: ${shown}${more}. A rule for ${subject} holds for any tool that ${actionWords[action]}.`,
    doors,
    instead: isSame ? { tool: subject, ...(rule.parameter === null ? {} : { parameter: null }) } : null,
  };
}

/** Ranks doors for the sentence that names only some: a shell does everything, and tools of others are known by nobody else. */
function widthOf(tool: WorkspaceTool): number {
  if (runsCommands(tool)) return commandNames.test(tool.primaryArgument ?? "") ? 0 : 1;
  if (!isBuiltin(tool)) return 2;
  return textOfArgument(tool, tool.primaryArgument) === null ? 4 : 3;
}

const isBuiltin = ({ source }: WorkspaceTool): boolean => source === "builtin";

/** Returns whether the arguments of a tool that others wrote say that it does the action: `path` of an MCP server's reader. */
function argumentsSay(action: CallAction, names: readonly string[], { effect }: WorkspaceTool): boolean {
  if (action === "connects_to") return names.some((name) => /^ur[il]$/i.test(name));
  if (action === "runs_commands" || (action === "writes_path" && effect === "read")) return false;
  return names.some((name) => isPathName(name) && /path|file|dir|folder/i.test(name));
}

/** Returns what all covered tools do, when the rule looks at the argument that says to what; else null. */
function actionOf({ parameter }: WarnedRule, covered: readonly WorkspaceTool[]): CallAction | null {
  const actions = new Set(
    covered.map((tool): CallAction | null => {
      const name = (parameter ?? tool.primaryArgument)?.replace(/^\//, "") ?? "";
      if (tool.source !== "builtin" || (parameter !== null && name !== tool.primaryArgument)) return null;
      if (runsCommands(tool)) return "runs_commands";
      const text = textOfArgument(tool, name);
      if (text === "path" && mayDo(tool, "reads_path")) return tool.effect === "read" ? "reads_path" : "writes_path";
      return text === "url" && mayDo(tool, "connects_to") ? "connects_to" : null;
    }),
  );
  const [only] = actions;
  return actions.size === 1 ? (only ?? null) : null;
}
