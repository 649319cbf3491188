import type { AskedCall, GuardedTool } from "../asked-call";

const languageName = /^(?:lang|language|runtime|interpreter|kernel|shell_?type)$/i;
const names: readonly (readonly [RegExp, Language])[] = [
  [/^(?:ba|z|da|k|a)?sh$|^shell$|^terminal$/, "shell"],
  [/^(?:powershell|pwsh|ps1)$/, "powershell"],
  [/^(?:python|py|ipython|jupyter)[\d.]*$/, "python"],
  [/^(?:javascript|js|node|nodejs|typescript|ts|deno|bun)[\d.]*$/, "javascript"],
  [/^(?:ruby|perl|php|lua|r)$/, "other"],
];

/** A language in which a tool runs what it is given. */
export type Language = "shell" | "powershell" | "python" | "javascript" | "other";

/** The language that a call declares, in an argument such as `language` or in the tool's own name; null when none. */
export function declaredLanguageOf({ tool, arguments: args }: Pick<AskedCall, "tool" | "arguments">): Language | null {
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

/** A row of the registry is the same object from call to call. */
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

/** Whether calls of a tool can run commands or programs at all. */
export function mayRunPrograms({ needs, source, name }: GuardedTool): boolean {
  return needs.includes("shell") || source !== "builtin" || /code|run|exec|shell/i.test(name);
}

/** Whether a text names the language of a shell, as the value of an argument such as `language` does. */
export function isShellNamed(name: string): boolean {
  return languageNamed(name.trim().toLowerCase()) === "shell";
}

function languageNamed(name: string): Language | null {
  return names.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

const codeName = /^(?:code|source|source_?code|script|program|cell|snippet|content|input|command)$/i;

/** The program texts of a call that runs code. */
export function sourcesOf({ tool, arguments: args }: Pick<AskedCall, "tool" | "arguments">): string[] {
  return Object.entries(args).flatMap(([name, value]) =>
    typeof value === "string" && (codeName.test(name) || name === tool.primaryArgument) ? [value] : [],
  );
}
