import { existsSync } from "node:fs";

/** Programs that start servers of READMEs; each is found in PATH by its name. */
export const runners = "npx|bunx|pnpm|yarn|uvx|uv|pipx|docker|podman|node|bun|deno|python3?|go";
/** A variable before a command: `KEY=value`, also with quotes in the value. */
export const assignment = String.raw`\w+=(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"])*`;

const ending = String.raw`(?:\.(?:cmd|exe|bat))?`;
const pathOfRunner = new RegExp(String.raw`^(?:.*[\\/])?(${runners})${ending}$`, "i");
const windowsPath = /^[A-Za-z]:[\\/]/;
const windowsRunner = new RegExp(String.raw`^(["']?)[A-Za-z]:[\\/](?:[^"'\n]*?[\\/])?(${runners})${ending}\1(?=\s+\S)`, "i");
const windowsShell = /^(?:.*[\\/])?cmd(?:\.exe)?$/i;
const envProgram = /^(?:(?:\/usr)?\/bin\/)?env$/;

export type Program = { path: string; args?: string[] | undefined; env?: Record<string, string> | null | undefined };

/** Replaces the path of a runner on Windows by its name where arguments follow, because the path may have spaces without quotes. */
export const withoutWindowsPath = (line: string): string => line.replace(windowsRunner, "$2");

/**
 * Returns a program as it is started here: without `env KEY=value` and `cmd /c` before it, and a runner by its name where its path is one of
 * another machine.
 */
export function localProgram({ path, args = [], env }: Program, note: (sentence: string) => void): Program {
  const isWrapped = windowsShell.test(path) && /^\/c$/i.test(args[0] ?? "");
  if (isWrapped && args[1] !== undefined) return localProgram({ path: args[1], args: args.slice(2), env }, note);
  if (envProgram.test(path)) {
    const start = args.findIndex((word) => !/^\w+=/.test(word));
    const target = args[start];
    // Options of `env` itself change more than variables.
    if (target !== undefined && !target.startsWith("-")) {
      const given = args.slice(0, start).map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const);
      return localProgram({ path: target, args: args.slice(start + 1), env: { ...Object.fromEntries(given), ...env } }, note);
    }
  }
  const runner = pathOfRunner.exec(path)?.[1]?.toLowerCase();
  if (runner === undefined || runner === path || process.platform === "win32") return { path, args, env };
  const isPath = /[\\/]/.test(path);
  if (isPath && !windowsPath.test(path) && existsSync(path)) return { path, args, env };
  if (isPath) note(`${path} is a path of another machine, so ${runner} is started by its name.`);
  return { path: runner, args, env };
}
