import path from "node:path";
import type { Word, WordPart } from "unbash";
import { expandBraces, hasOddBraces } from "./expand-braces";

/** Replaces a piece of a word that is decided only at run time. */
export const unknownPiece = "\uE000";
/** Replaces the conversation's folder at the beginning of a word, where HOME or `~` names it. */
export const homePiece = "\uE001";

/** A word of a command, its quotes removed. */
export type ShellWord = {
  /** As written. */
  text: string;
  /** The word without quotes. Globs stay as written; other expansions become `unknownPiece`. */
  value: string;
  /** `glob`: names of existing files replace the word. `unknown`: the word may become anything, also several words or none. */
  certainty: "literal" | "glob" | "unknown";
  /** Characters of the script, from `start` to `end` (exclusive). */
  start: number;
  end: number;
};

/** Absolute folders of the machine of a client that runs the call itself: the home, and the folder in which it works. */
export type MachineFolders = { home: string; folder: string };

/** Assumptions about variables: whether HOME and `~` still name the home, and the value of PWD. */
export type KnownVariables = {
  home: boolean;
  pwd: string | null;
  /** Present for a call that a client runs on its own machine. Everywhere else the home is the conversation's folder. */
  machine?: MachineFolders | undefined;
};

const maxBracedChars = 2_000;

/** Returns the words that a word becomes: several when braces expand. */
export function expandWord(word: Word, known: KnownVariables, offset = 0): ShellWord[] {
  const { text, pos, end } = word;
  const at = { text, start: pos + offset, end: end + offset };
  const read = readParts(word, known);
  const value = outOfHome(withHome(word, read.value, known));
  const certainty = value.includes(unknownPiece) ? "unknown" : read.isGlob ? "glob" : "literal";
  if (!read.hasBraces && !hasOddBraces(word)) return [{ ...at, value, certainty }];
  if (certainty === "unknown" || value.length > maxBracedChars) return [{ ...at, value: unknownPiece, certainty: "unknown" }];
  // dash keeps braces and bash expands them, so the command gets the words of both.
  return [...new Set([value, ...expandBraces(value)])].map((piece) => ({ ...at, value: expandTilde(piece, known), certainty }));
}

/** Returns the value of a word that has to be a single one: a redirection's target or an assigned value. */
export function resolveWord(word: Word, known: KnownVariables, offset = 0): ShellWord {
  const words = expandWord(word, known, offset);
  const [first] = words;
  if (first && words.length === 1) return first;
  return { text: word.text, value: unknownPiece, certainty: "unknown", start: word.pos + offset, end: word.end + offset };
}

type Read = { value: string; isGlob: boolean; hasBraces: boolean };

function readParts({ parts, value }: Word, known: KnownVariables): Read {
  if (!parts) return { value, isGlob: false, hasBraces: false };
  const read: Read = { value: "", isGlob: false, hasBraces: false };
  for (const part of parts) {
    read.isGlob ||= part.type === "Glob" || part.type === "ExtendedGlob";
    read.hasBraces ||= part.type === "BraceExpansion";
    read.isGlob ||= part.type === "BraceExpansion" && /[*?[]/.test(part.text);
    read.value += pieceOf(part, known, read.value === "");
  }
  return read;
}

function pieceOf(part: WordPart, known: KnownVariables, isFirst: boolean): string {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return part.value;
    case "DoubleQuoted":
      return part.parts.map((child, index) => pieceOf(child, known, isFirst && index === 0)).join("");
    case "Glob":
      return part.text;
    case "SimpleExpansion":
      return folderPiece(part.text.slice(1), known, isFirst);
    case "ParameterExpansion":
      return part.prefix || part.index || part.operation ? unknownPiece : folderPiece(part.parameter, known, isFirst);
    case "CommandExpansion":
      return /^(?:\$\(|`)\s*pwd\s*[)`]$/.test(part.text) ? folderPiece("PWD", known, isFirst) : unknownPiece;
    case "ProcessSubstitution":
      return "/dev/fd/63";
    case "BraceExpansion":
      return part.parts ? `{${part.parts.map((child) => pieceOf(child, known, false)).join("")}}` : part.text.replace(/['"\\]/g, "");
    // These parts depend on the shell: without `$'...'`, a \' inside ends the quote; arithmetic and extended globs differ,
    // too.
    default:
      return unknownPiece;
  }
}

/** Returns the value of HOME or PWD (the working folder); other variables are unknown. */
function folderPiece(name: string, { home, pwd, machine }: KnownVariables, isFirst: boolean): string {
  if (!isFirst) return unknownPiece;
  if (name === "HOME") return home ? (machine?.home ?? homePiece) : unknownPiece;
  if (name === "PWD" && pwd !== null && machine) return path.posix.resolve(machine.folder, pwd);
  if (name !== "PWD" || pwd === null || pwd.startsWith("/")) return unknownPiece;
  return pwd === "." ? homePiece : `${homePiece}/${pwd}`;
}

/** Text right behind the folder names another folder, as in `$PWD-other`; a colon begins the second half of a mount. */
const homeWithText = new RegExp(`^${homePiece}(?!/|:|$)`);

function outOfHome(value: string): string {
  return value.replace(homeWithText, unknownPiece);
}

function withHome({ text }: Word, value: string, known: KnownVariables): string {
  return text.startsWith("~") ? expandTilde(value, known) : value;
}

/**
 * Expands a tilde: `~` is the home, `~name` another user's home, `~+` and `~-` folders that the shell
 * remembers.
 */
function expandTilde(value: string, { home, machine }: KnownVariables): string {
  const [prefix, name = ""] = /^~([^/]*)/.exec(value) ?? [];
  if (prefix === undefined) return value;
  const rest = value.slice(prefix.length);
  if (name === "") return (home ? (machine?.home ?? homePiece) : unknownPiece) + rest;
  return /^[\w.-]*[a-z_]/i.test(name) ? `/home/${name}${rest}` : unknownPiece;
}
