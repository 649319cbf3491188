import type { Word } from "unbash";
import { excerpt } from "../excerpt";
import type { ArgumentPattern } from "../matching/argument-pattern";
import { looseWordIn } from "./loose-word";
import type { SimpleCommand } from "./read-script";
import type { ShellReading } from "./running-commands";
import { innerOf } from "./see-through";
import { escapeIn } from "./unsafe-shapes";

/** Why an allow rule's pattern does not cover a whole script, as a sentence; null when it does. */
export function whyNotAllowed(pattern: ArgumentPattern, reading: ShellReading): string | null {
  const { script } = reading;
  if (script.unreadable) return `The command cannot be read as a shell script with certainty: ${script.unreadable}.`;
  if (script.obstacle) return `The command contains ${script.obstacle}, which no allow rule covers.`;
  if (script.commands.length === 0) return "There is no command in it.";
  for (const [index, command] of script.commands.entries()) {
    const which = `${script.commands.length > 1 ? `The ${ordinal(index)} command` : "The command"} \`${excerpt(command.text)}\``;
    const why = whyNotCovered(pattern, command);
    if (why) return `${which} ${why}.`;
  }
  const unsafe = looseWordIn(script) ?? escapeIn(reading);
  return unsafe && `An allow rule alone is not enough: ${unsafe}.`;
}

/** Why a pattern does not cover one simple command, or what that runs for another one, as `timeout 5 ls` does. */
function whyNotCovered(pattern: ArgumentPattern, { text, node }: SimpleCommand): string | null {
  const { name } = node;
  if (!name || !isPlainName(name)) return "has a name that is not written out plainly";
  const words = [name, ...node.args.filter((word) => word.type === "Word")];
  const written = text.slice(name.pos - node.pos);
  return whyWordsNotCovered(pattern, written, words) ?? whySearchNotCovered(pattern, written, words);
}

function whyWordsNotCovered(pattern: ArgumentPattern, text: string, words: readonly Word[]): string | null {
  const [name] = words;
  if (!name) return null;
  const inner = innerOf(words);
  const innerName = inner && words[inner.at];
  if (!inner || !innerName) return whyNotMatched(pattern, text, words, name.end - name.pos);
  if (!isPlainName(innerName)) return `runs a command whose name is not written out plainly, \`${excerpt(innerName.text)}\``;
  if (inner.looseBefore !== null) {
    return `runs a command that stands behind \`${excerpt(inner.looseBefore)}\`, which can become other words when it runs`;
  }
  if (inner.getsUnseen) return `gives \`${excerpt(innerName.text)}\` words that nobody sees before it runs`;
  // A pattern may say the wrapper and the command in it; else it has to cover the command, and what is around it.
  if (whyNotMatched(pattern, text, words, innerName.end - name.pos) === null) return null;
  const why = whyWordsNotCovered(pattern, text.slice(innerName.pos - name.pos), words.slice(inner.at));
  if (why) return `runs \`${excerpt(innerName.text)}\`, which ${why}`;
  return inner.isClear ? null : whyNotMatched(pattern, text, words, name.end - name.pos);
}

/** Why a pattern does not cover what a search runs on what it finds: the same rule has to allow that, too. */
function whySearchNotCovered(pattern: ArgumentPattern, text: string, words: readonly Word[]): string | null {
  const [first] = words;
  if (!words.some(({ value }) => value.split("/").at(-1) === "find")) return null;
  for (const [at, { value }] of words.entries()) {
    const executed = value === "-exec" ? words.slice(at + 1) : [];
    const [name] = executed;
    if (!first || !name) continue;
    const end = executed.findIndex((word) => word.value === ";" || word.value === "+");
    const own = end < 0 ? executed : executed.slice(0, end);
    const last = own.at(-1) ?? name;
    const why = whyNotMatched(pattern, text.slice(name.pos - first.pos, last.end - first.pos), own, name.end - name.pos);
    if (why) return `runs \`${excerpt(name.text)}\`, which ${why}`;
  }
  return null;
}

const isPlainName = ({ text }: Word): boolean => /^[A-Za-z0-9_.:/+@,-]+$/.test(text);

/** In a longer command, nobody looks for where else the pattern may be. */
const maxExplainedChars = 4_000;

/**
 * Why a pattern does not match a command. It has to match from the command's first character and past its whole name:
 * what an admin wrote to allow `ls` must not allow `rm ls` or `lsof`. And it has to match the command as it is written
 * and as it runs, without its quotes.
 */
function whyNotMatched(pattern: ArgumentPattern, text: string, words: readonly Word[], endOfName: number): string | null {
  const length = pattern.lengthAtStart(text);
  if (length === null) {
    return text.length <= maxExplainedChars && pattern.isFoundIn(text)
      ? "matches the pattern only further on, and an allow rule has to match from its first character"
      : "does not match the pattern";
  }
  if (length < endOfName) return `matches the pattern only in a part of its name, \`${excerpt(text.slice(0, length))}\``;
  const plain = words.map(({ value }) => value).join(" ");
  return plain === text || pattern.lengthAtStart(plain) !== null ? null : "does not match the pattern without its quotes";
}

const ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

function ordinal(index: number): string {
  return ordinals[index] ?? `${index + 1}th`;
}
