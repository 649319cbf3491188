/** Programs that fetch the package to run, or run one of a store of their own. */
const runners = new Set(["npx", "pnpx", "bunx", "uvx", "pipx", "docker", "podman", "nerdctl"]);
/** Subcommands that make a package runner of a program that does more. */
const runnerSubcommands = new Map([
  ["npm", ["exec", "x"]],
  ["pnpm", ["dlx", "exec"]],
  ["yarn", ["dlx", "exec"]],
  ["bun", ["x"]],
  ["uv", ["run", "tool"]],
  ["deno", ["run", "x"]],
]);

const programOf = (command: string): string => (command.split(/[\\/]/).at(-1) ?? "").toLowerCase().replace(/\.(?:cmd|exe|ps1|bat)$/, "");

/** Returns why a digest would pin nothing that matters: the program only fetches the package that runs. Null when it pins a file. */
export function digestFault(command: string | null | undefined, args: readonly string[]): string | null {
  const program = programOf(command ?? "");
  const subcommand = args.find((arg) => !arg.startsWith("-")) ?? "";
  if (!runners.has(program) && !runnerSubcommands.get(program)?.includes(subcommand)) return null;
  const shown = runners.has(program) ? program : `${program} ${subcommand}`;
  return `would be that of ${shown} itself and not of the package that it runs: write the package's exact version among the arguments and leave the digest empty, or install the package and name its file as the command or as an argument`;
}
