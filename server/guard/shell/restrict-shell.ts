import { excerpt } from "../excerpt";
import type { ArgumentPattern } from "../matching/argument-pattern";
import type { ShellReading } from "./running-commands";

/** Whether a pattern of a rule that denies or asks is in a command; when that cannot be known, why. */
export type FoundInShell = { found: true; why: string } | { found: false } | { found: "unknown"; why: string };

/**
 * Looks for a pattern everywhere that it could matter: in the whole text, in each simple command as it was written, and
 * in each as it would run, without quotes and without its folder, also inside `sudo`, `sh -c` and the like.
 */
export function findInShell(pattern: ArgumentPattern, { text, script, running }: ShellReading): FoundInShell {
  if (pattern.isFoundIn(text)) return { found: true, why: `The pattern is found in \`${excerpt(text)}\`.` };
  // Of an ordinary command, all that is looked at is the same text.
  const without = new Set([text]);
  const isIn = (piece: string): boolean => {
    if (without.has(piece)) return false;
    const isFound = pattern.isFoundIn(piece);
    if (!isFound) without.add(piece);
    return isFound;
  };
  const written = script.commands.find((command) => isIn(command.text));
  if (written) return { found: true, why: `The pattern is found in the command \`${excerpt(written.text)}\`.` };
  let nameless = false;
  for (const { commands } of running) {
    for (const { name, words } of commands) {
      const asRun = [words.join(" "), [name, ...words.slice(1)].join(" ")].find(isIn);
      if (asRun !== undefined) return { found: true, why: `The pattern is found in what would run, \`${excerpt(asRun)}\`.` };
      nameless ||= name === "";
    }
  }
  if (script.unreadable) {
    return { found: "unknown", why: `The command cannot be read as a shell script with certainty: ${script.unreadable}.` };
  }
  return nameless ? { found: "unknown", why: "One of its commands has a name that is only known when it runs." } : { found: false };
}
