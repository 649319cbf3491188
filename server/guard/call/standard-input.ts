import type { ShellReading } from "../effects/effects-of-script";
import type { ResolvedCommand } from "../script/resolved-command";

/** Returns the literal texts that a command gets as its standard input: by `<<<`, `<<`, or an `echo` piped into it. */
export function findStandardInput({ within }: Pick<ResolvedCommand, "within">, { script }: ShellReading): string[] {
  const before = within.pipedFrom ? script.commands.slice(within.pipedFrom.start, within.pipedFrom.end) : [];
  const printed = before.flatMap(({ words: [name, ...words] }) => (/^(?:echo|printf)$/.test(name?.value ?? "") ? words : []));
  return [within.input?.value ?? "", ...printed.map(({ value }) => value)].filter((given) => given.trim() !== "");
}
