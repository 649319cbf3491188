import type { Redirect, Redirection, Word } from "unbash";
import type { ShellScript, SimpleCommand } from "./read-script";
import { tooMuch } from "./reading-budget";
import { resolveText, resolveWord, unknownValue } from "./resolve-word";
import type { Variables } from "./variables";

export function wordsOf({ node: { name, args } }: SimpleCommand, variables: Variables): string[] {
  if (!name) return [];
  const words = resolveWord(name, variables);
  for (const word of args) {
    if (word.type === "Word") words.push(...resolveWord(word, variables));
    else words.push(word.value.type === "Word" ? `${word.name}=${resolveText(word.value, variables)}` : word.text);
  }
  return words;
}

export const wordsIn = ({ node: { name, args } }: SimpleCommand): Word[] =>
  [...(name ? [name] : []), ...args].flatMap((arg) => (arg.type === "Word" ? [arg] : []));

/** What commands of a pipeline hand on, altogether: each hands on what those before it did, so that it doubles. */
const maxInputChars = 512 * 1024;

/** The text on a command's standard input, where the script spells it out. */
export function inputOf(
  { node, pipedFrom, redirected }: SimpleCommand,
  script: ShellScript,
  printed: readonly (string | null)[],
  variables: Variables,
): string | null {
  const given = node.redirects.length === 0 ? [] : node.redirects.flatMap((redirect) => givenBy(redirect, script, variables));
  if (given.length > 0) return given.join("\n");
  const readsOther = node.redirects.some(({ operator, descriptor }) => operator === "<" && descriptor === undefined);
  const around = readsOther ? [] : redirected.flatMap((redirect) => givenBy(redirect, script, variables));
  if (around.length > 0) return around.join("\n");
  if (!pipedFrom) return null;
  const before = new Set(printed.slice(pipedFrom.start, pipedFrom.end).filter((text) => text !== null));
  if (before.size === 0) return null;
  const input = [...before].join("\n");
  if (input.length > maxInputChars) throw tooMuch();
  return input;
}

function givenBy(redirect: Redirection, { hereDocuments }: ShellScript, variables: Variables): string[] {
  if (redirect.type === "HereDoc") return [hereDocuments.get(redirect.body.text) ?? redirect.body.text];
  if (redirect.type === "Redirect") return printedInto(redirect, variables);
  if (redirect.type !== "HereString" || !redirect.target) return [];
  return [resolveText(redirect.target, variables)];
}

/** What stands in `< <(echo text)`, where that is known. */
function printedInto({ operator, target }: Redirect, variables: Variables): string[] {
  if (operator !== "<" || target?.parts?.length !== 1 || target.parts[0]?.type !== "ProcessSubstitution") return [];
  const text = resolveText(target, variables);
  return text.includes(unknownValue) ? [] : [text];
}
