import path from "node:path";
import { valuesOf } from "../shell/inner-commands";
import { isLongOption } from "../shell/long-option";
import type { RunningCommand } from "../shell/running-commands";
import { systemFolderOf } from "./system-folders";

const deleters = new Set(["rm", "grm", "srm", "rimraf"]);

/** What a command deletes with everything in it, when that is the root, a home or a system folder. */
export function deletesSystemFolder({ name, words, folder }: RunningCommand): string | null {
  const args = words.slice(1);
  const found = targetsOf(name, args).flatMap((target) => systemFolderOf(target, folder) ?? []);
  // What is moved out of a home is still there.
  return found.find((what) => name !== "mv" || what !== "a home folder") ?? null;
}

function targetsOf(name: string, args: readonly string[]): readonly string[] {
  if (deleters.has(name)) return deletedByRm(name, args);
  if (name === "find") return deletedByFind(args);
  const operands = () => args.filter((word) => !word.startsWith("-"));
  if (name === "mv") return valuesOf(args, ["-t", "--target-directory"]).length > 0 ? operands() : operands().slice(0, -1);
  if (name === "tar" || name === "gtar") return args.some((word) => isLongOption(word, "--remove-files")) ? operands() : [];
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

/** Long options may be shortened: --recursive, --recur, --r. */
function isLongRecursive(option: string): boolean {
  return "--recursive".startsWith(option);
}

/** What leaves the choice of files as wide as it was; any other test narrows it. */
const widening =
  /^-(depth|d|xdev|mount|mindepth|maxdepth|type|print0?|ls|a|and|follow|daystart|noleaf|warn|nowarn|ignore_readdir_race|regextype|true)$/;
const alternatives = new Set(["-o", "-or", ","]);
const negations = new Set(["!", "-not"]);
const runners = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/**
 * Where `find` starts when it deletes all that it finds: whatever narrows the choice has to stand before what deletes, on
 * the same side of an `-o`. A test that is negated narrows nothing worth naming.
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

/** A name or path that every file has. */
function fitsAnything(test: string, pattern: string): boolean {
  return /^-i?(name|path|wholename)$/.test(test) && /^[*/]+$/.test(pattern);
}
