import type { ShellScript } from "./shell-script";
import type { ShellWord } from "./words";

/** The literal values that a script assigns to its variables, by name, without regard to place and order. */
export type LiteralValues = ReadonlyMap<string, readonly string[]>;

const maxValues = 8;

/**
 * Collects the literal values that variables get anywhere in these scripts. Whoever looks for a catastrophe tries each value in place
 * of its variable, because a catastrophe split over two places is still written out.
 */
export function literalValues(scripts: readonly ShellScript[]): LiteralValues {
  const values = new Map<string, string[]>();
  const add = (name: string, value: string) => {
    const known = values.get(name) ?? [];
    if (known.length < maxValues && !known.includes(value)) values.set(name, [...known, value]);
  };
  for (const { commands, loopVariables } of scripts) {
    for (const { name, value } of [...commands.flatMap(({ assignments }) => assignments), ...loopVariables]) {
      if (value !== null && value.certainty !== "unknown") add(name, value.value);
    }
    // `export x=/`, `env x=/ sh -c …`
    for (const { value } of commands.flatMap(({ words }) => words)) {
      const [, name, given = ""] = /^([A-Za-z_]\w*)=(["']?[^"'$`]*["']?)$/s.exec(value) ?? [];
      if (name !== undefined) add(name, given.replace(/^["']|["']$/g, ""));
    }
  }
  return values;
}

const variable = /\$(?:\{(\w+)\}|(\w+))/;

/** `${x:-/}` */
const withDefault = /\$\{\w+:?[-=]([^}$`]*)\}/;

/** Returns the texts that a word may become; only the word itself when no variable in it has a literal value. */
export function possibleTexts(word: ShellWord, values: LiteralValues): readonly string[] {
  if (word.certainty === "unknown" && withDefault.test(word.text))
    return [word.value, word.text.replace(withDefault, (_, given: string) => given).replace(/["']/g, "")];
  const [, braced, plain] = word.certainty === "unknown" ? (variable.exec(word.text) ?? []) : [];
  const found = values.get(braced ?? plain ?? "");
  if (!found) return [word.value];
  return found.map((value) => word.text.replace(variable, () => value).replace(/["']/g, ""));
}
