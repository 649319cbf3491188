import type { ShellScript, SimpleCommand } from "../shell/read-script";

/**
 * The name of a function that starts itself in the background, or twice in one pipeline, be it by way of other functions: it
 * fills the machine with itself. A function that calls itself once and waits is ordinary recursion.
 */
export function forkBombIn({ commands }: ShellScript): string | null {
  const nameOf = ({ node }: SimpleCommand) => node.name?.value ?? "";
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

type Call = { callers: readonly string[]; callee: string };

/** Functions that call each other in a circle: what is left when those that call none of the others are taken away. */
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
