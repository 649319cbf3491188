import { quoted } from "./quoted";
import type { SimpleCommand } from "./read-script";
import { wordBreak } from "./resolve-word";
import { firstVariables, type Variables } from "./variables";
import { wrappers } from "./wrappers";
import type { WrittenFiles } from "./written-files";

/** What a script has that another one may use which it runs. */
export type Belongings = { variables: Variables; functions: ReadonlyMap<string, string>; files: WrittenFiles };

/** How much of it gets there: `env -i` and `sudo` hand nothing on but what they are given themselves, as `x=value`. */
export type Passage = { isOpen: boolean; given: readonly string[] };

export const openPassage: Passage = { isOpen: true, given: [] };

/** Commands whose scripts run in the shell itself. */
const inSameShell = new Set(["eval", "trap", "source", ".", "alias", "mapfile", "readarray"]);
const closing = new Set("sudo doas su pkexec runuser run0 ssh rsh mosh docker podman kubectl oc systemd-run at batch".split(" "));
const isGiven = /^[A-Za-z_]\w*=/;

export const sharesShell = (name: string): boolean => inSameShell.has(name);

/** How far what belongs to a script gets to what a command runs, of which the last words are a command of its own. */
export function passageThrough(name: string, words: readonly string[], ownWords: number, before: Passage): Passage {
  if (!closing.has(name) && !wrappers.get(name)?.assigns) return before;
  const options = words.slice(1, Math.max(1, words.length - ownWords));
  const given = wrappers.get(name)?.assigns ? options.filter((word) => isGiven.test(word)) : [];
  const isClosed = closing.has(name) || (name === "env" && options.some((word) => /^(-|-[a-z]*[iu].*|--(i|u).*)$/.test(word)));
  return { isOpen: before.isOpen && !isClosed, given: [...(isClosed ? [] : before.given), ...given] };
}

/**
 * A script with what it is handed on from the one that runs it written out before it: the variables and functions that it
 * names. `x=/; eval 'rm -rf $x'` deletes what `x` holds; `x=/; sh -c 'rm -rf $x'` does so when `x` is exported.
 */
export function withInherited(script: string, from: Belongings, way: Passage & { command: string; within: SimpleCommand }): string {
  const isShared = sharesShell(way.command);
  if (!isShared && !way.isOpen && way.given.length === 0) return script;
  const definitions = isShared || way.isOpen ? functionsNamedIn(script, from, isShared) : [];
  const body = [...definitions, script].join("\n");
  if (!body.includes("$")) return body;
  return [...argumentsFor(body, from, isShared), ...variablesNamedIn(body, from.variables, { ...way, isShared }), body].join("\n");
}

/** Definitions of the functions that a script calls, and of those that these call. */
function functionsNamedIn(script: string, { functions, variables }: Belongings, isShared: boolean): readonly string[] {
  if (functions.size === 0) return [];
  const found = new Map<string, string>();
  const open = [script];
  for (const text of open) {
    for (const name of new Set(text.split(betweenNames))) {
      const definition = found.has(name) ? undefined : functions.get(name);
      if (definition === undefined || !(isShared || variables.isExported(name))) continue;
      found.set(name, definition);
      open.push(definition);
    }
  }
  return [...found.values()];
}

const betweenNames = /[\s;&|(){}'"`$<>=]+/;

function argumentsFor(script: string, { variables }: Belongings, isShared: boolean): readonly string[] {
  const all = isShared && /\$\{?[1-9@*]/.test(script) ? (variables.get("@") ?? "") : "";
  return all === "" ? [] : [`set -- ${all.split(wordBreak).map(quoted).join(" ")}`];
}

function variablesNamedIn(
  script: string,
  variables: Variables,
  { isOpen, isShared, given, within }: Passage & { isShared: boolean; within: SimpleCommand },
): readonly string[] {
  const before = new Set(within.node.prefix.flatMap((part) => (part.type === "Assignment" ? [part.name] : [])));
  const isHandedOn = (name: string) => isShared || (isOpen && (before.has(name) || variables.isExported(name)));
  const lines: string[] = [];
  const names = new Set(Array.from(script.matchAll(expanded), ([, name = ""]) => name));
  for (const name of names) {
    const own = given.findLast((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
    const value = own ?? (isHandedOn(name) ? variables.get(name) : null);
    if (value === null || value === first.get(name)) continue;
    lines.push(assignmentOf(name, variables.spend(value), own === undefined ? variables : null));
    // `${!name}`: what it holds is a name, too.
    if (script.includes("${!") && isName.test(value)) names.add(value);
  }
  return lines;
}

function assignmentOf(name: string, value: string, variables: Variables | null): string {
  const list = variables?.get(`${name}[@]`);
  if (list !== undefined && list !== null) return `${name}=(${list.split(wordBreak).map(quoted).join(" ")})`;
  const choices = variables?.choicesOf(name) ?? [];
  return choices.length > 1 ? `for ${name} in ${choices.map(quoted).join(" ")}; do :; done` : `${name}=${quoted(value)}`;
}

const expanded = /\$\{?[!#]?([A-Za-z_]\w*)/g;
const isName = /^[A-Za-z_]\w{0,99}$/;
const first = firstVariables();
