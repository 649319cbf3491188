import path from "node:path";

/** Interpreters by the ending of a script. */
const interpreters: Readonly<Record<string, string>> = {
  ".py": "python3",
  ".sh": "bash",
  ".bash": "bash",
  ".js": "node",
  ".mjs": "node",
  ".cjs": "node",
  ".rb": "ruby",
  ".pl": "perl",
  ".ps1": "pwsh",
};

/** Returns the program that runs a script, by its ending or its first line; null when it is no script that can run. */
export function interpreterOf(file: string, text: string): string | null {
  const byEnding = interpreters[path.extname(file).toLowerCase()];
  if (byEnding !== undefined) return byEnding;
  const [, program = "", argument = ""] = /^#!\s*(\S+)(?:[ \t]+(\S+))?/.exec(text) ?? [];
  const name = path.posix.basename(program === "/usr/bin/env" ? argument : program);
  return Object.values(interpreters).includes(name) ? name : name === "python" ? "python3" : name === "sh" ? "bash" : null;
}

export const isScript = (file: string, text: string): boolean => interpreterOf(file, text) !== null;
