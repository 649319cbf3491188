import type { Redirect, Word, WordPart } from "unbash";
import { runsOthers } from "./inner-commands";
import { leftOut, withoutLongQuotes } from "./long-quotes";
import { readScript, type ShellScript, type SimpleCommand } from "./read-script";
import { isTooMuch, ReadingBudget } from "./reading-budget";
import { resolveWord, unknownValue } from "./resolve-word";
import { type RunningCommand, runningScripts, type ShellReading } from "./running-commands";
import { folderAfter, nameOf } from "./unfold-command";
import { firstVariables } from "./variables";

const why = "it does so much that not all of it is followed";

/**
 * Reads a command line, and one that is too much to be followed coarsely: that is for people to decide about, and nothing
 * that an allow rule covers.
 * @throws Error where somebody has to follow it to see what no person may allow either
 */
export function readShellOrCoarsely(text: string, budget = new ReadingBudget()): ShellReading {
  let script: ShellScript | null = null;
  try {
    script = readScript(text, budget);
    return { text, script, running: runningScripts(text, script, budget), isCoarse: false };
  } catch (error) {
    const reading = isTooMuch(error) ? coarseReadingOf(text, script ?? readBesidesQuotes(text, budget)) : null;
    if (!reading) throw error;
    return reading;
  }
}

/**
 * The commands of a text as they are written, without what variables, loops and functions make of them. Null where one of
 * them has a name that is not written out, runs others, or deletes or writes where nobody can see.
 */
function coarseReadingOf(text: string, script: ShellScript | null): ShellReading | null {
  if (!script || script.unreadable || script.joined !== null || script.arithmeticBodies.length > 0) return null;
  if (!script.redirects.every(writesWhereItSays)) return null;
  const commands: RunningCommand[] = [];
  let folder = ".";
  for (const within of script.commands) {
    const words = plainWordsOf(within, script);
    if (words === null) return null;
    const [written] = words;
    if (written === undefined) continue;
    const command = { name: nameOf(written, folder), words, folder, within, runBy: null, input: null };
    commands.push(command);
    folder = folderAfter(command, folder);
  }
  const unread = { ...script, unreadable: why };
  const targets = script.redirects.flatMap(({ target }) => (target ? [wordOf(target)] : []));
  const running = [{ script: unread, commands, folders: [".", folder], writesTo: targets, opens: targets, files: nothingWritten }];
  return { text, script: unread, running, isCoarse: true };
}

/** A script without what its long quotes hold; null when it has none, and when it is too much even so. */
function readBesidesQuotes(text: string, budget: ReadingBudget): ShellScript | null {
  const shortened = withoutLongQuotes(text);
  if (!shortened || !budget.affords(shortened.text)) return null;
  const script = readScript(shortened.text, budget);
  const quotes = script.commands.flatMap(({ node }) => [...node.prefix, ...node.suffix].filter(isLeftOut)).length;
  return quotes === shortened.leftOut ? script : null;
}

/** Whether a word has a quote, for the parser too, of which something is left out. */
function isLeftOut(part: SimpleCommand["node"]["suffix"][number]): boolean {
  const word = part.type === "Assignment" ? part.value : part;
  return word.type === "Word" && word.parts?.filter(({ type, text }) => isQuote.test(type) && text.slice(1, -1) === leftOut).length === 1;
}

const isQuote = /^(?:Single|Double)Quoted$/;

/** The words of a command that does nothing but what its name says; null for every other. */
function plainWordsOf({ node: { name, args } }: SimpleCommand, { functions }: ShellScript): readonly string[] | null {
  if (!name) return [];
  const own = name.value.slice(name.value.lastIndexOf("/") + 1);
  if (name.parts || !isPlainName.test(name.text) || runsOthers(own)) return null;
  const words = args.flatMap((word) => (word.type === "Word" ? [word] : []));
  const isSure = deletes.test(own) ? isWritten : writesLittle.test(own) || functions.has(own) ? () => true : staysBelow;
  return words.every(isSure) && (own !== "curl" || sendsOnly(words)) ? [name.text, ...words.map(wordOf)] : null;
}

const isPlainName = /^(?:(?:\.\/)?\w[\w./+-]*|\[|:)$/;
const deletes = /^(?:g?rm|srm|rimraf|shred|wipe\w*|unlink|truncate|k?kill\w*|pkill|mv|g?tar|rsync|cd|pushd|popd)$/;
const writesLittle =
  /^(?:echo|printf|touch|mkdir|ls|cat|head|tail|wc|date|true|false|test|return|local|declare|export|readonly|read|shift|set|exit|sleep|git|curl|[ef]?grep)$/;

/** Whether a word stands there as it will be. */
const isWritten = ({ parts = [], text }: Word): boolean => parts.every(isWrittenPart) && !/[{\uE004]/.test(text);

function isWrittenPart(part: WordPart): boolean {
  if (part.type === "DoubleQuoted") return part.parts.every(isWrittenPart);
  return part.type === "Literal" || part.type === "SingleQuoted" || part.type === "Glob";
}

/** Whether what is not written out is only what curl sends: neither where it comes from or goes to, nor what else it reads. */
const sendsOnly = (words: readonly Word[]): boolean =>
  words.every((word, at) => staysBelow(word) || sentByItself.test(word.text) || sentNext.test(words[at - 1]?.text ?? ""));

const sentNext = /^(?:-d|-H|--data|--data-raw|--data-binary|--json|--header)$/;
const sentByItself = /^(?:-d|-H|--data=|--data-raw=|--data-binary=|--json=|--header=)["']/;

/** Whether a word is written out, or begins as the name of something in the workspace. */
const staysBelow = (word: Word): boolean => isWritten(word) || /^["']?\w[\w-]*[/.]/.test(word.text);

const writesWhereItSays = ({ target }: Redirect): boolean => target === undefined || staysBelow(target);

const nothingKnown = firstVariables();
const nothingWritten = { isEmpty: true, isWritten: () => false, isUnread: () => false };

function wordOf(word: Word): string {
  if (isWritten(word)) return resolveWord(word, nothingKnown).join(" ");
  return `${/^["']?([\w-]*)/.exec(word.text)?.[1] ?? ""}${unknownValue}`;
}
