import type { ShellScript, SimpleCommand } from "../script/shell-script";
import type { ShellWord } from "../script/words";

/**
 * Returns the name of a function that starts itself in the background or twice in one pipeline, directly or through
 * other functions, and so fills the machine. A function that calls itself once and waits is ordinary recursion.
 */
export function forkBombIn({ commands }: ShellScript): string | null {
  // `while true; do $0 & done` starts the script that contains it.
  if (commands.some(({ words, background }) => background && startsItself(words))) return "$0";
  const nameOf = ({ words: [name] }: SimpleCommand) => name?.value ?? "";
  const isInFunction = commands.filter(({ functions }) => functions.length > 0);
  if (isInFunction.length === 0) return null;
  const circle = circlingFunctions(isInFunction.map((command) => ({ callers: command.functions, callee: nameOf(command) })));
  const bomb = isInFunction.find((command) => {
    const name = nameOf(command);
    if (!circle.has(name) || !command.functions.some((caller) => circle.has(caller))) return false;
    const before = command.pipedFrom ? commands.slice(command.pipedFrom.start, command.pipedFrom.end) : [];
    return command.background || before.some((other) => nameOf(other) === name);
  });
  return bomb ? nameOf(bomb) : null;
}

/** Recognises a command that starts its own script: `$0`, `sh $0`, `bash -c '$0'`. */
function startsItself([name, ...args]: SimpleCommand["words"]): boolean {
  const isItself = ({ text }: ShellWord) => /^["']?\$\{?0\}?["']?$/.test(text);
  if (!name) return false;
  return isItself(name) || (/^(?:.*\/)?(?:ba|da|z|k|a)?sh$/.test(name.value) && args.some(isItself));
}

type Call = { callers: readonly string[]; callee: string };

/** Returns the functions that can reach a call cycle: repeatedly removes functions that call none of the remaining ones. */
function circlingFunctions(calls: readonly Call[]): ReadonlySet<string> {
  const callees = new Map<string, Set<string>>();
  for (const { callers } of calls) for (const caller of callers) callees.set(caller, callees.get(caller) ?? new Set());
  const callersOf = new Map<string, string[]>();
  for (const { callers, callee } of calls) {
    if (!callees.has(callee)) continue;
    for (const caller of callers) {
      if (callees.get(caller)?.has(callee)) continue;
      callees.get(caller)?.add(callee);
      const before = callersOf.get(callee);
      if (before) before.push(caller);
      else callersOf.set(callee, [caller]);
    }
  }
  const gone = [...callees].flatMap(([name, called]) => (called.size === 0 ? [name] : []));
  for (const name of gone) {
    callees.delete(name);
    for (const caller of callersOf.get(name) ?? []) {
      const called = callees.get(caller);
      if (called?.delete(name) && called.size === 0) gone.push(caller);
    }
  }
  return new Set(callees.keys());
}
