import type { ShellReading } from "../effects/effects-of-script";
import { excerpt } from "../excerpt";
import type { ArgumentPattern } from "./argument-pattern";
import { mayBegin } from "./literal-start";
import { normalForms } from "./normal-forms";

/** Whether a command contains the pattern of a rule that denies or asks; `unknown` carries the reason. */
export type FoundInShell = { found: true; why: string } | { found: false } | { found: "unknown"; why: string };

/**
 * Searches a pattern everywhere that it could matter: in the whole text, in each command as written, and in each
 * command as it would run: without quotes, without the program's folder, and in its normal form. Commands inside `sudo`,
 * `sh -c` and the like count.
 */
export function findInShell(pattern: ArgumentPattern, { text, script, nested, commands }: ShellReading): FoundInShell {
  if (pattern.isFoundIn(text)) return { found: true, why: `The pattern is found in \`${excerpt(text)}\`.` };
  const without = new Set([text]);
  const isIn = (piece: string): boolean => {
    if (without.has(piece)) return false;
    const isFound = pattern.isFoundIn(piece);
    if (!isFound) without.add(piece);
    return isFound;
  };
  const written = [script, ...nested].flatMap((one) => one.commands).find((command) => isIn(command.text));
  if (written) return { found: true, why: `The pattern is found in the command \`${excerpt(written.text)}\`.` };
  let nameless = false;
  let isCut = false;
  for (const command of commands) {
    const { name, words } = command;
    const values = words.map(({ value }) => value);
    const asRun = [values.join(" "), [name, ...values.slice(1)].join(" ")].find(isIn);
    if (asRun !== undefined) return { found: true, why: `The pattern is found in what would run, \`${excerpt(asRun)}\`.` };
    const forms = normalForms(command);
    const normal = forms.plausible.find(isIn);
    if (normal !== undefined) return { found: true, why: `The pattern is found in the command's normal form, \`${excerpt(normal)}\`.` };
    nameless ||= name === "";
    isCut ||= forms.isCut && mayBegin(pattern.source, name.slice(name.lastIndexOf("/") + 1));
  }
  const unreadable = [script, ...nested].find((one) => one.unreadable)?.unreadable;
  if (unreadable) return { found: "unknown", why: `The command cannot be read as a shell script with certainty: ${unreadable}.` };
  if (isCut) return { found: "unknown", why: "One of its commands has too many options before its first word to be read with certainty." };
  return nameless ? { found: "unknown", why: "One of its commands has a name that is known only when it runs." } : { found: false };
}
