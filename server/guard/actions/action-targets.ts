import path from "node:path";
import type { Effect } from "@/contracts/decisions/effects";
import type { CallAction } from "@/contracts/guard/rule-subjects";
import type { AnalyzedCall } from "../call/analyzed-call";
import { findStandardInput } from "../call/standard-input";
import { findArgumentHosts } from "../named/named-hosts";
import { namedInCode, runsSource } from "../named/named-in-code";
import { linksTo, pathInside } from "../named/path-inside";
import { maxPathChars } from "../paths/followed-path";
import { mayNamePath } from "../paths/path-name";

/** One path or host that a call reads, writes or connects to. */
export type ActionTarget =
  /** The spellings of one target. */
  | { is: "exact"; texts: readonly string[] }
  /** Everything that a glob names, or that lies below a folder. */
  | { is: "below"; path: string; isDeep: boolean }
  /** Known only when the call runs. */
  | { is: "unknown" };

type TargetAction = Exclude<CallAction, "runs_commands">;
type Found = Readonly<Record<TargetAction, readonly ActionTarget[]>>;

const known = new WeakMap<AnalyzedCall, Found>();

/** Returns the targets of what a call does, by its effects, its code and the arguments of tools without declared effects. */
export function actionTargets(call: AnalyzedCall, action: TargetAction): readonly ActionTarget[] {
  let found = known.get(call);
  if (!found) {
    found = findTargets(call);
    known.set(call, found);
  }
  return found[action];
}

/** Returns whether what a call does is known completely: its tool declares effects, or its command was read. */
export const declaresAll = ({ shell, tool }: AnalyzedCall): boolean => shell !== null || tool.effects !== undefined;

function findTargets(call: AnalyzedCall): Found {
  const found = { reads_path: [] as ActionTarget[], writes_path: [] as ActionTarget[], connects_to: [] as ActionTarget[] };
  for (const effect of call.effects) {
    const action = actionOfEffect(effect);
    if (action) found[action].push(targetOf(effect, call, action));
  }
  for (const code of codeOf(call)) {
    const { paths, hosts } = namedInCode(code);
    // Code may do with a path whatever it likes.
    const touched = paths.filter((word) => word.length <= maxPathChars).map((word) => folderTarget(pathInside(word, call.context.folder)));
    found.reads_path.push(...touched);
    found.writes_path.push(...touched);
    for (const host of hosts) found.connects_to.push({ is: "exact", texts: [host] });
  }
  if (!declaresAll(call)) addArguments(call, found);
  return found;
}

/** Returns the action that an effect is; null for an effect that no such rule is about. */
export function actionOfEffect({ kind, target, namesOnly }: Effect): TargetAction | null {
  const { where, path: file, host } = target;
  const isUnknown = where === "not_known" && file === undefined;
  if (kind === "connect" || kind === "send") return host !== undefined || isUnknown ? "connects_to" : null;
  if (kind === "read") return host !== undefined ? "connects_to" : !namesOnly && (file !== undefined || isUnknown) ? "reads_path" : null;
  if (kind === "write" || kind === "delete") return host === undefined && (file !== undefined || isUnknown) ? "writes_path" : null;
  return null;
}

function targetOf({ kind, target, recursive }: Effect, { context }: AnalyzedCall, action: TargetAction): ActionTarget {
  const { path: file, host } = target;
  if (action === "connects_to") {
    if (host === undefined) return { is: "unknown" };
    const name = host.replace(/:\d{1,5}$/, "");
    return { is: "exact", texts: name === host || name === "" ? [host] : [host, name] };
  }
  if (file === undefined) return { is: "unknown" };
  const isGlob = /[*?[]/.test(file);
  if (isGlob || recursive || kind === "delete") return { is: "below", path: file, isDeep: recursive === true || kind === "delete" };
  const above = file.startsWith("..") && context.folder !== undefined ? [path.posix.join(context.folder, file)] : [];
  // The written path may be a folder, into which a file goes under its own name.
  return { is: "exact", texts: [file, ...(kind === "write" ? [`${file}/`] : []), ...linksTo(file, context), ...above] };
}

const folderTarget = (file: string): ActionTarget =>
  /[*?[]/.test(file) ? { is: "below", path: file, isDeep: false } : { is: "exact", texts: [file, `${file}/`] };

/** Returns the programs in other languages that stand in a call. */
function codeOf({ code, commands, tool, arguments: args }: AnalyzedCall): string[] {
  const own = code && tool.primaryArgument !== null ? args[tool.primaryArgument] : undefined;
  const inCommands = commands.flatMap(({ reading }) => [
    ...reading.codes.flatMap(({ text, isElsewhere }) => (isElsewhere ? [] : [text])),
    ...reading.commands.flatMap((command) => (runsSource(command.name) ? findStandardInput(command, reading) : [])),
  ]);
  return [...(typeof own === "string" ? [own] : []), ...inCommands];
}

/** Words in the names of tools that show names and attributes, and no contents. */
const showsNames = /(?:^|[^a-z])(?:list|ls|dir|tree|stat|info|exists|glob)(?:[^a-z]|$)/i;

/** Adds what the arguments of a tool name that declares no effects, such as the tool of an MCP server. */
function addArguments({ tool, texts, context }: AnalyzedCall, found: Record<TargetAction, ActionTarget[]>): void {
  const onlyShows = tool.effect === "read" && showsNames.test(tool.name.replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
  for (const { name, text } of texts) {
    for (const host of findArgumentHosts(name, text)) found.connects_to.push({ is: "exact", texts: [host] });
    if (onlyShows || text.length > maxPathChars || /[\n\r\0]/.test(text) || !(mayNamePath(name) || looksLikePath(text))) continue;
    const file = pathInside(text, context.folder);
    // The tool may read all of a folder.
    const targets: ActionTarget[] = [folderTarget(file), { is: "below", path: file, isDeep: true }];
    found.reads_path.push(...targets);
    if (tool.effect !== "read") found.writes_path.push(...targets);
  }
}

/** Returns whether a text is a single path, whatever its argument is called. */
function looksLikePath(text: string): boolean {
  return /^(?:~|\.{0,2}\/|file:)\S+$|^[\w.-]+(?:\/[\w.-]+)+$/.test(text);
}
