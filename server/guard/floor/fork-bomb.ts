import type { ShellScript, SimpleCommand } from "../shell/read-script";

/**
 * The name of a function that starts itself in the background, or twice in one pipeline: it fills the machine with
 * itself. A function that calls itself once and waits is ordinary recursion.
 */
export function forkBombIn({ commands }: ShellScript): string | null {
  const nameOf = ({ node }: SimpleCommand) => node.name?.value ?? "";
  const bomb = commands.find((command) => {
    const name = nameOf(command);
    if (!command.functions.includes(name)) return false;
    const before = command.pipedFrom ? commands.slice(command.pipedFrom.start, command.pipedFrom.end) : [];
    return command.background || before.some((other) => nameOf(other) === name);
  });
  return bomb ? nameOf(bomb) : null;
}
