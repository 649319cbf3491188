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
  if (!parts.every((part) => isSpelledOut(part, safe))) return unknown(word, "an action such as -delete");
  // What a bracket stands for has rules of its own ([[:punct:]], []-]): from there on, anything.
  const glob = word.value.replace(/\[.*$/s, "*");
  const fitting = parts.some(({ type }) => type === "Glob") ? findActions.find((action) => globFits(glob, action)) : undefined;
  return fitting ? `the glob \`${excerpt(word.text)}\`, which fits a file with the name ${fitting}` : null;
}

function becomesOption(word: Word, safe: ReadonlySet<string>): string | null {
  const [first] = word.parts ?? [];
  if (!first) return null;
  if (first.type === "Literal" || first.type === "SingleQuoted") {
    const isOption = first.value.startsWith("-") || first.value === "";
    return isOption && word.parts?.some((part) => !isSpelledOut(part, safe) || part.type === "Glob")
      ? unknown(word, "another option")
      : null;
  }
  if (first.type === "DoubleQuoted" && first.parts[0]?.type === "Literal" && !first.parts[0].value.startsWith("-")) return null;
  if (first.type === "BraceExpansion" || (first.type !== "Glob" && isSpelledOut(first, safe))) return null;
  return unknown(word, "an option");
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

/** Variables that can only hold a path or a plain word: the shell's own folders, and those of loops over such words. */
function safeVariables({ loops }: ShellScript): ReadonlySet<string> {
  const safe = new Set(["HOME", "PWD"]);
  for (const { name, wordlist } of loops) if (wordlist?.every(isPlainWord)) safe.add(name.value);
  for (const { name, wordlist } of loops) if (!wordlist?.every(isPlainWord)) safe.delete(name.value);
  return safe;
}

const isPlainWord = ({ text }: Word): boolean => /^[\w./][\w./@:+-]*$/.test(text);
