import type { ShellReading } from "../effects/effects-of-script";
import { excerpt } from "../excerpt";
import type { ResolvedCommand } from "../script/resolved-command";
import type { ShellScript } from "../script/shell-script";
import type { ArgumentPattern } from "./argument-pattern";
import { harmlessForm } from "./normal-forms";

/**
 * Explains why an allow rule's pattern does not cover a whole command line; null when it does. The pattern has to match
 * every command that the line runs, from the command's first character and past its whole name: `^ls` must not allow
 * `rm ls` or `lsof`. The effects of a covered command are judged elsewhere.
 */
export function whyNotCovered(pattern: ArgumentPattern, { script, nested, commands }: ShellReading): string | null {
  for (const { unreadable } of [script, ...nested]) {
    if (unreadable) return `The command cannot be read as a shell script with certainty: ${unreadable}.`;
  }
  if (script.commands.length === 0) return "There is no command in it.";
  const written = [script, ...nested].map(writtenFile).find((file) => file !== null);
  if (written) return `The command writes to \`${excerpt(written)}\`, which no allow rule covers.`;
  const covered = new Set<ResolvedCommand>();
  for (const command of commands) if (matches(pattern, command)) covered.add(command);
  for (const command of commands) {
    if (isCovered(command, commands, covered)) continue;
    const number = commands.indexOf(command);
    const which = `${commands.length > 1 ? `The ${ordinal(number)} command` : "The command"} \`${excerpt(commandText(command))}\``;
    return `${which} ${whyNotMatched(pattern, command)}.`;
  }
  return null;
}

/** Returns the file that a redirection writes, except devices that keep nothing. */
function writtenFile({ commands, redirections }: ShellScript): string | null {
  const all = [...redirections, ...commands.flatMap((command) => command.redirections)];
  return all.find(({ operator, target }) => operator !== "<" && !/^\/dev\/(?:null|stdout|stderr)$/.test(target.value))?.target.text ?? null;
}

/**
 * Returns whether a command is covered: by itself, by a covered command that runs it, or because it is a transparent
 * wrapper and every command inside is covered.
 */
function isCovered(command: ResolvedCommand, all: readonly ResolvedCommand[], covered: ReadonlySet<ResolvedCommand>): boolean {
  if (covered.has(command)) return true;
  if (!isPlainName(command)) return false;
  for (let outer = command.runBy; outer !== null; outer = outer.runBy)
    if (covered.has(outer) && outer.within === command.within) return true;
  const inner = all.filter(({ runBy }) => runBy === command);
  return inner.length > 0 && inner.every((one) => one.isTransparent && isCovered(one, all, covered));
}

const isPlainName = ({ words: [name] }: ResolvedCommand): boolean => /^[A-Za-z0-9_.:/+@,[-]+$/.test(name.text);

/**
 * Returns whether the pattern matches a command both as written and as it runs, without quotes; or its normal form, when
 * only harmless options were set aside.
 */
function matches(pattern: ArgumentPattern, command: ResolvedCommand): boolean {
  if (!isPlainName(command)) return false;
  const plain = command.words.map(({ value }) => value).join(" ");
  if (matchesBoth(pattern, commandText(command), plain, endOfName(command))) return true;
  const form = harmlessForm(command);
  return form !== null && matchesBoth(pattern, form.written, form.plain, form.name.length);
}

function matchesBoth(pattern: ArgumentPattern, text: string, plain: string, endOfName: number): boolean {
  const length = pattern.lengthAtStart(text);
  if (length === null || length < endOfName || endsWithinWord(text, length)) return false;
  if (plain === text) return true;
  const plainLength = pattern.lengthAtStart(plain);
  return plainLength !== null && !endsWithinWord(plain, plainLength);
}

/** Characters with which a word ends, or begins a part of its own: a path below, a value, a redirection. */
const afterWord = /[\s/=?#<>|&;)]/;

/**
 * Returns whether a match ends in the middle of a word: `^git log` must not cover `git logout`. A pattern that ends with a
 * sign, such as `^npm run build:`, asks for what follows.
 */
function endsWithinWord(text: string, length: number): boolean {
  return length < text.length && !afterWord.test(text.charAt(length)) && /[\p{L}\p{N}_]/u.test(text.charAt(length - 1));
}

/** Returns the words of a command as written, without the assignments before its name. */
function commandText(command: ResolvedCommand): string {
  const {
    within,
    words: [name],
  } = command;
  const start = name.start - within.start;
  return start > 0 && start < within.text.length ? within.text.slice(start) : within.text;
}

const endOfName = ({ words: [name] }: ResolvedCommand): number => name.text.length;

function whyNotMatched(pattern: ArgumentPattern, command: ResolvedCommand): string {
  if (!isPlainName(command)) return "has a name that is not written out plainly";
  const text = commandText(command);
  const length = pattern.lengthAtStart(text);
  if (length === null) {
    return pattern.isFoundIn(text)
      ? "matches the pattern only further on, and an allow rule has to match from its first character"
      : "does not match the pattern";
  }
  if (length < endOfName(command)) return `matches the pattern only in a part of its name, \`${excerpt(text.slice(0, length))}\``;
  if (endsWithinWord(text, length)) {
    return `matches the pattern only in a part of a word, \`${excerpt(text.slice(0, length))}\`, and a longer word is another one`;
  }
  return "does not match the pattern without its quotes";
}

const ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

function ordinal(index: number): string {
  return ordinals[index] ?? `${index + 1}th`;
}
