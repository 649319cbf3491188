import type { GuardedTool, GuardRequest } from "./guard-request";

const languageName = /^(?:lang|language|runtime|interpreter|kernel|shell_?type)$/i;
const names: readonly (readonly [RegExp, Language])[] = [
  [/^(?:ba|z|da|k|a)?sh$|^shell$|^terminal$/, "shell"],
  [/^(?:powershell|pwsh|ps1)$/, "powershell"],
  [/^(?:python|py|ipython|jupyter)[\d.]*$/, "python"],
  [/^(?:javascript|js|node|nodejs|typescript|ts|deno|bun)[\d.]*$/, "javascript"],
  [/^(?:ruby|perl|php|lua|r)$/, "other"],
];

/** The language of the code that a tool runs. */
export type Language = "shell" | "powershell" | "python" | "javascript" | "other";

/**
 * Returns the language that a call declares, by an argument such as `language` or by the tool's name; null without a
 * declaration.
 */
export function findDeclaredLanguage({ tool, arguments: args }: Pick<GuardRequest, "tool" | "arguments">): Language | null {
  for (const name of Object.keys(args)) {
    if (!languageName.test(name)) continue;
    const value = args[name];
    if (typeof value === "string") return languageNamed(value.trim().toLowerCase()) ?? "other";
  }
  let known = byTool.get(tool);
  if (known === undefined) {
    known = languageInName(tool.name);
    byTool.set(tool, known);
  }
  return known;
}

/** Cache: a registered tool is the same object from call to call. */
const byTool = new WeakMap<GuardedTool, Language | null>();

function languageInName(name: string): Language | null {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  if (words.includes("powershell") || words.includes("pwsh")) return "powershell";
  const runs = words.some((word) => /^(?:run|exec|execute|eval|evaluate|repl|interpreter|code|notebook|cell)$/.test(word));
  return runs ? (words.map(languageNamed).find((language) => language !== null && language !== "shell") ?? null) : null;
}

/** Returns whether calls of a tool can run commands or programs at all. */
export function mayRunPrograms({ needs, source, name }: GuardedTool): boolean {
  return needs.includes("shell") || source !== "builtin" || /code|run|exec|shell/i.test(name);
}

/** Returns whether a value of an argument such as `language` names a shell. */
export function isShellNamed(name: string): boolean {
  return languageNamed(name.trim().toLowerCase()) === "shell";
}

function languageNamed(name: string): Language | null {
  return names.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

const codeName = /^(?:code|source|source_?code|script|program|cell|snippet|content|input|command)$/i;

/** Returns the program texts of a call that runs code. */
export function findSourceTexts({ tool, arguments: args }: Pick<GuardRequest, "tool" | "arguments">): string[] {
  return Object.entries(args).flatMap(([name, value]) =>
    typeof value === "string" && (codeName.test(name) || name === tool.primaryArgument) ? [value] : [],
  );
}
