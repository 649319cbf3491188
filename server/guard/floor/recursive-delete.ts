import path from "node:path";
import { unknownPiece } from "../script/words";
import type { FloorCommand } from "./floor-command";
import { findSystemFolder } from "./system-folders";

const deleters = new Set(["rm", "grm", "srm", "rimraf"]);

export const isDeleter = (name: string): boolean => deleters.has(name);

/** Returns the root, home or system folder that a command deletes recursively; null when there is none. */
export function deletesSystemFolder(command: FloorCommand): string | null {
  const { name, words, folder, home } = command;
  const found = targetsOf(name, words.slice(1)).flatMap((target) => findSystemFolder(target, folder, home) ?? []);
  // Files moved out of a home folder still exist.
  return found.find((what) => name !== "mv" || what !== "a home folder") ?? deletedInContainer(command);
}

/** Returns the system folder deleted through a mount: `docker run -v /:/host image rm -rf /host`. */
function deletedInContainer({ name, words }: FloorCommand): string | null {
  if (!/^(?:docker|podman|nerdctl)$/.test(name)) return null;
  const at = words.findIndex((word) => deleters.has(word.replace(/^.*\//s, "")));
  if (at < 0) return null;
  const deleted = deletedByRm("rm", words.slice(at + 1));
  for (const word of words.slice(0, at)) {
    const [, source = "", inside] = /^(?:(?:-v|--volume)=?)?(\/[^:]*):(\/[^:]+)/.exec(word) ?? [];
    const what = inside === undefined ? null : findSystemFolder(source, ".");
    if (what && what !== "a home folder" && deleted.some((target) => target.replace(/\/?\*?$/, "") === inside)) return what;
  }
  return null;
}

/** Returns the system folder whose files a `find` lists without narrowing the choice; null when there is none. */
export function findsSystemFolder([name = "", ...args]: readonly string[], folder: string, home: string | undefined): string | null {
  if (name !== "find") return null;
  return deletedByFind([...args, "-delete"]).flatMap((start) => findSystemFolder(start, folder, home) ?? [])[0] ?? null;
}

/** Modes that take all rights from everybody. */
const closes = /^(?:0+|a?-rwx|a=|ugo-rwx)$/;

/** Returns the system folder whose rights a command closes, or changes recursively; null when it changes none. */
export function changesSystemRights({ name, words, folder, isRecursive }: FloorCommand): string | null {
  if (!/^(?:chmod|chown|chgrp|setfacl|chattr)$/.test(name)) return null;
  const args = words.slice(1);
  const isDeep = isRecursive || args.some((word) => /^-(?!-)\w*R/.test(word) || (word.length > 3 && "--recursive".startsWith(word)));
  if (!isDeep && !(name === "chmod" && args.some((word) => closes.test(word)))) return null;
  for (const word of args.filter((arg) => !arg.startsWith("-"))) {
    const found = findSystemFolder(word, folder);
    // Programs that an admin installs by hand lie there, and a person may say yes to their rights.
    if (found && found !== "a home folder" && found !== "the system folder /usr/local") return found;
  }
  return null;
}

function targetsOf(name: string, args: readonly string[]): readonly string[] {
  if (deleters.has(name)) return deletedByRm(name, args);
  // The name in `$(which rm) -rf /` is unknown, but no harmless program takes such an option.
  if (name.replaceAll(unknownPiece, "") === "" && args.some((word) => /^-(?:rf|fr|Rf|fR)$/.test(word))) return deletedByRm(name, args);
  if (name === "find") return deletedByFind(args);
  const operands = () => args.filter((word) => !word.startsWith("-"));
  if (name === "mv") return args.some((word) => /^-[a-zA-Z]*t|^--t/.test(word)) ? operands() : operands().slice(0, -1);
  if (name === "tar" || name === "gtar") return args.some((word) => word.length > 2 && "--remove-files".startsWith(word)) ? operands() : [];
  if (name === "rsync") return args.some((word) => /^--(del|remove-s)/.test(word)) ? operands() : [];
  return [];
}

function deletedByRm(name: string, args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  const options = args.filter((word, index) => word.startsWith("-") && (end < 0 || index < end));
  const recursive =
    name === "rimraf" || options.some((option) => (option.startsWith("--") ? isLongRecursive(option) : /[rR]/.test(option)));
  return recursive ? args.filter((word) => !word.startsWith("-")) : [];
}

/** Accepts every shortened form of the option: --recursive, --recur, --r. */
function isLongRecursive(option: string): boolean {
  return "--recursive".startsWith(option);
}

/** Expressions of `find` that do not narrow the choice of files; every other test narrows it. */
const widening =
  /^-(depth|d|xdev|mount|mindepth|maxdepth|type|print0?|ls|a|and|follow|daystart|noleaf|warn|nowarn|ignore_readdir_race|regextype|true)$/;
const alternatives = new Set(["-o", "-or", ","]);
const negations = new Set(["!", "-not"]);
const runners = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/**
 * Returns the start folders of a `find` that deletes everything it finds. A narrowing test counts only before the
 * action that deletes and on the same side of an `-o`. A negated test does not count as narrowing.
 */
function deletedByFind(args: readonly string[]): readonly string[] {
  const words = args.filter((word) => !/^-[HLPDO]/.test(word));
  const firstTest = words.findIndex((word) => /^[-(!]/.test(word));
  const starts = words.slice(0, firstTest);
  const open = words.slice(firstTest);
  let narrowed = false;
  for (let word = open.shift(); word !== undefined; word = open.shift()) {
    const next = String(open[0]);
    if (alternatives.has(word)) narrowed = false;
    else if (negations.has(word)) open.shift();
    else if (word === "-delete" || (runners.has(word) && deletes(next))) {
      if (!narrowed) return starts;
    } else if (runners.has(word)) open.splice(0, open.findIndex((part) => part === ";" || part === "+") + 1);
    else if (word.startsWith("-") && !widening.test(word) && !fitsAnything(word, next)) narrowed = true;
  }
  return [];
}

function deletes(command: string): boolean {
  return deleters.has(path.posix.basename(command));
}

/** Recognises a name or path test that every file passes. */
function fitsAnything(test: string, pattern: string): boolean {
  return /^-i?(name|path|wholename)$/.test(test) && /^[*/]+$/.test(pattern);
}
