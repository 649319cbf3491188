import type { Word } from "unbash";
import { hasEscapeOptions } from "../detectors/shell-danger/escapes";
import { findActions } from "../detectors/shell-danger/find";
import { isLanguage } from "../detectors/shell-danger/interpreters";
import { excerpt } from "../excerpt";
import { globFits } from "../matching/glob";
import { isShell } from "./inner-commands";
import type { ShellScript, SimpleCommand } from "./read-script";
import { isWrapper } from "./wrappers";

/**
 * Why a command of the script may get an option that is not in the text: a glob fits files with the name of an option,
 * and a variable may hold one. Only where options do more than the command's name says.
 */
export function looseWordIn(script: ShellScript): string | null {
  const safe = safeVariables(script);
  for (const command of script.commands) {
    const why = looseWordOf(command, safe);
    if (why) return `\`${excerpt(command.text)}\` has ${why}`;
  }
  return null;
}

function looseWordOf({ node }: SimpleCommand, safe: ReadonlySet<string>): string | null {
  const names = [node.name?.value, ...node.args.map((word) => (word.type === "Word" ? word.value : ""))].map(
    (name) => name?.split("/").at(-1) ?? "",
  );
  const [first = ""] = names;
  // In `timeout 5 find`, any of the words may be the one that counts.
  const known = isWrapper(first) ? names : [first];
  const searches = known.includes("find");
  if (!searches && !known.some((name) => isDoubleEdged(name))) return null;
  for (const word of node.args) {
    if (word.type !== "Word") continue;
    const why = searches ? becomesAction(word, safe) : becomesOption(word, safe);
    if (why) return why;
  }
  return null;
}

function isDoubleEdged(name: string): boolean {
  return hasEscapeOptions(name) || isLanguage(name) || isShell(name) || /^(git|[gmn]?awk|g?sed)$/.test(name);
}

function becomesAction(word: Word, safe: ReadonlySet<string>): string | null {
  const parts = word.parts ?? [];
  const isComposed = parts.some((part) => !isWritten(part));
  // A variable that can only hold a plain word is no action, and the end of one: `-d$x`.
  if (!parts.every((part) => isSpelledOut(part, safe)) || (isComposed && beginningOf(parts).startsWith("-")) || isLooseHome(word, safe))
    return unknown(word, "an action such as -delete");
  if (!parts.some(({ type }) => type === "Glob")) return null;
  // What a bracket stands for has rules of its own ([[:punct:]], []-]): from there on, anything.
  const written = isComposed
    ? parts.map((part) => (part.type === "Glob" || part.type === "Literal" ? part.text : "*")).join("")
    : word.value;
  const glob = written.replace(/\[.*$/s, "*");
  const fitting = findActions.find((action) => globFits(glob, action));
  return fitting ? `the glob \`${excerpt(word.text)}\`, which fits a file with the name ${fitting}` : null;
}

/** What a word certainly begins with. */
function beginningOf(parts: readonly Part[]): string {
  let text = "";
  for (const part of parts) {
    if (part.type === "DoubleQuoted") text += beginningOf(part.parts);
    else if (part.type === "Literal" || part.type === "SingleQuoted") text += part.value;
    else break;
    if (text !== "") break;
  }
  return text;
}

/** Whether a part of a word stands there as it will be, but for what a glob fits. */
function isWritten(part: Part): boolean {
  if (part.type === "DoubleQuoted") return part.parts.every(isWritten);
  return part.type === "Literal" || part.type === "SingleQuoted" || part.type === "Glob";
}

function becomesOption(word: Word, safe: ReadonlySet<string>): string | null {
  const parts = word.parts ?? [];
  if (isLooseHome(word, safe)) return unknown(word, "an option");
  const beginning = beginningOf(parts);
  if (beginning.startsWith("-")) {
    const isWhole = /^--[\w-]+=/.test(beginning);
    return parts.every((part) => part.type !== "Glob" && (isWhole ? isSpelledOut(part, safe) : isWritten(part)))
      ? null
      : unknown(word, "another option");
  }
  if (beginning !== "") return null;
  // It begins with what stands behind empty quotes.
  const first = parts.find((part) => !isWritten(part) || part.type === "Glob");
  if (!first || (first.type === "BraceExpansion" && !/[$`*?[~]/.test(first.text))) return null;
  return first.type !== "Glob" && isSpelledOut(first, safe) ? null : unknown(word, "an option");
}

/** Whether a word begins with a home folder that a loop has set to something else. */
function isLooseHome({ text }: Word, safe: ReadonlySet<string>): boolean {
  return text.startsWith("~") && !shellFolders.every((name) => safe.has(name));
}

const unknown = (word: Word, what: string) => `\`${excerpt(word.text)}\`, which can become ${what} when it runs`;

type Part = NonNullable<Word["parts"]>[number];

function isSpelledOut(part: Part, safe: ReadonlySet<string>): boolean {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "Glob":
      return true;
    case "DoubleQuoted":
      return part.parts.every((child) => isSpelledOut(child, safe));
    case "SimpleExpansion":
      return safe.has(part.text.slice(1));
    case "ParameterExpansion":
      return !part.prefix && !part.index && !part.operation && safe.has(part.parameter);
    default:
      return false;
  }
}

const shellFolders = ["HOME", "PWD", "OLDPWD"];

/** Variables that can only hold a path or a plain word: the shell's own folders, and those of loops over such words. */
function safeVariables({ loops }: ShellScript): ReadonlySet<string> {
  const safe = new Set(shellFolders);
  for (const { name, wordlist } of loops) if (wordlist?.every(isPlainWord)) safe.add(name.value);
  for (const { name, wordlist } of loops) if (!wordlist?.every(isPlainWord)) safe.delete(name.value);
  return safe;
}

const isPlainWord = ({ text }: Word): boolean => /^[\w./][\w./@:+-]*$/.test(text);
