import type { CallOnTrial } from "../call-on-trial";
import { rememberLatest } from "../remember-latest";
import { maxPathChars } from "../shell/followed-path";
import { unknownValue } from "../shell/resolve-word";
import type { RunningCommand } from "../shell/running-commands";
import { withoutContainerPaths } from "./container-words";
import { filesInSed } from "./shell-danger/sed-script";
import { splitPatterns, withoutGitTexts, withoutTexts } from "./text-words";
import { withoutServedPaths } from "./url-words";

/** A piece of a call that names a file or folder. */
export type PathWord = {
  /** Quotes gone, variables in their place; relative to `folder`. */
  path: string;
  /** Where it is relative to, itself relative to the workspace unless it is absolute. */
  folder: string;
  /** As people should see it. */
  text: string;
  /** The command that it belongs to; null for an argument of the tool and for a redirection. */
  command: RunningCommand | null;
};

/** Names of arguments that are paths, whatever tool has them. */
const pathName =
  /^(?:(?:(?:file|dir|folder|directory|root|base|source|src|destination|dest|target|from|to|old|new|input|output|local|working|work|repo)[_-]?)?(?:paths?|files?|file[_-]?names?|dirs?|directory|directories|folders?)|cwd|root|source|destination|uri)$/i;

/** Whether an argument of this name holds a path. */
export function isPathName(name: string): boolean {
  return pathName.test(name);
}

/** Paths among the words and redirections of everything that a shell would run. */
export const shellPaths = rememberLatest(findShellPaths);

/** Where the commands of a call begin to work. */
function startOf({ arguments: { cwd } }: CallOnTrial): string {
  return typeof cwd === "string" && !cwd.startsWith("/") ? cwd : ".";
}

const folderOf = ({ folder }: RunningCommand, start: string): string => (folder.startsWith("/") ? folder : `${start}/${folder}`);

/** The files that are run by their path: `../x.sh`. What is in front of a path may be printed by another command: `$(npm bin)/x`. */
export function programPaths(call: CallOnTrial): readonly PathWord[] {
  const start = startOf(call);
  return call.scripts.flatMap(({ running }) =>
    running.flatMap(({ commands }) =>
      commands.flatMap((command): PathWord[] => {
        const [path = ""] = command.words;
        return path.includes("/") && !path.startsWith(unknownValue)
          ? [{ path, folder: folderOf(command, start), text: shown(path), command }]
          : [];
      }),
    ),
  );
}

function findShellPaths(call: CallOnTrial): readonly PathWord[] {
  const start = startOf(call);
  const found: PathWord[] = [];
  for (const reading of call.scripts) {
    for (const path of readIntoVariables(reading)) found.push({ path, folder: start, text: path, command: null });
    for (const { commands, opens } of reading.running) {
      for (const command of commands) {
        const folder = folderOf(command, start);
        for (const word of operandsOf(command)) {
          const text = shown(word);
          for (const path of pathsIn(word)) found.push({ path, folder, text, command });
        }
      }
      if (opens.length === 0) continue;
      // A redirection is relative to the folder of its command; the deepest one is taken, and the way there is looked at itself.
      const deepest = deepestOf(new Set(commands.map(({ folder }) => folder)));
      for (const path of opens) found.push({ path, folder: `${start}/${deepest}`, text: shown(path), command: null });
    }
  }
  return found;
}

const readers = new Set(["read", "mapfile", "readarray"]);
const hereString = /<<<\s*("[^"]*"|'[^']*'|[^\s;|&)]+)/g;

/**
 * Paths in texts that a script reads into variables, and gives to commands from there: `read x <<< /etc/passwd; cat $x`.
 * What is only printed again leads nowhere.
 */
function readIntoVariables({ text, running }: CallOnTrial["scripts"][number]): readonly string[] {
  if (!/\b(?:read|mapfile|readarray)\b/.test(text)) return [];
  const commands = running.flatMap((part) => part.commands);
  const isRead = commands.some(({ name }) => readers.has(name));
  const isUsed = commands.some(({ name, within }) => !readers.has(name) && !printers.has(name) && within.text.includes("$"));
  if (!isRead || !isUsed) return [];
  const texts = [...text.matchAll(hereString)].map(([, written = ""]) => written.replace(/["']/g, ""));
  // Of what stands behind a here-document, each absolute path is looked at anyway.
  if (/(?<!<)<<(?!<)/.test(text)) texts.push(text.slice(text.indexOf("\n") + 1));
  for (const { name, words, input } of commands) {
    if (printers.has(name)) texts.push(words.slice(1).join(" "));
    if (input !== null) texts.push(input);
  }
  return texts
    .flatMap((given) => given.split(/\s+|\\n/))
    .filter((word) => word.length <= maxPathChars && /^[/~]|^(?:.*\/)?\.\.(?:\/|$)/.test(word));
}

function deepestOf(folders: Iterable<string>): string {
  let deepest = ".";
  let depth = 0;
  for (const folder of folders) {
    const names = folder.split("/").filter((name) => name !== "." && name !== "..").length;
    if (names > depth) [deepest, depth] = [folder, names];
  }
  return deepest;
}

/** A word without the signs that stand for what is not known. */
export function shown(word: string): string {
  return word.includes(unknownValue) ? word.replaceAll(unknownValue, "$?") : word;
}

/** What a search for names finds is opened by what it runs: the names count as paths then. */
export function soughtNames({ name, words }: RunningCommand): readonly string[] {
  if (name !== "find" || !words.includes("-exec")) return [];
  return words.filter((_, index) => findTexts.test(words[index - 1] ?? ""));
}

/** Options whose next word is a text, for `find` and its like. */
const findTexts = /^-i?(?:name|path|wholename|regex|lname)$/;
/** And those whose next word is neither a text that files have nor a path: `-perm /222`. */
const findFormats = /^-(?:perm|printf)$/;
const printers = new Set(["echo", "printf"]);

/** The words of a command that can name files: not its name, and not the texts, patterns and programs that it is given. */
function operandsOf({ name, words, input }: RunningCommand): readonly string[] {
  const args = words.slice(1);
  switch (name) {
    case "echo":
    case "printf":
      return args.filter((word) => word.includes("*") || word.includes("?"));
    case "tr":
      return [];
    case "find":
      // Behind -D, it stands for itself: `find -D -name /x` searches /x.
      return args.filter((_, index) => {
        const before = args[index - 1] ?? "";
        return !(findTexts.test(before) || findFormats.test(before)) || args[index - 2] === "-D";
      });
    case "test":
    case "[":
      return args.filter((_, index) => !compares.test(args[index - 1] ?? "") && !compares.test(args[index + 1] ?? ""));
    case "git":
      return withoutGitTexts(args);
    default: {
      const { words: kept, patterns } = splitPatterns(
        name,
        withoutTexts(name, withoutServedPaths(name, withoutContainerPaths(name, args))),
      );
      const named = namedInside.get(name);
      if (!named) return kept;
      const given = patterns.length > 0 ? patterns : [...kept, input ?? ""];
      return [...kept, ...named(given.join("\n"))];
    }
  }
}

/** Files that a program of awk reads, and those that it puts in the place of its arguments. */
const filesInAwk = (program: string): string[] =>
  [...program.matchAll(/(?:<\s{0,9}\(?\s{0,9}|\bARGV\[[^\]\n]{0,20}\]\s{0,9}=\s{0,9})"([^"\n]{1,4096})"/g)].map(([, file = ""]) => file);

/** Words of a client's own commands, one of which stands alone in its line: `.open ../x`. */
const filesInDotCommands = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => /^[ \t]*\.[a-z]/.test(line))
    .flatMap((line) => line.split(/[ \t"']+/).filter((word) => /^(?:[/~]|\.\.(?:\/|$)|.*\/\.\.(?:\/|$))/.test(word)));

/** Files that are named inside a program's own scripts. */
const namedInside: ReadonlyMap<string, (text: string) => readonly string[]> = new Map([
  ...["sed", "gsed"].map((name) => [name, filesInSed] as const),
  ...["awk", "gawk", "mawk", "nawk"].map((name) => [name, filesInAwk] as const),
  ...["sqlite3", "sqlite", "litecli", "duckdb"].map((name) => [name, filesInDotCommands] as const),
]);

/** What two texts are compared with. */
const compares = /^(?:!=|==?)$/;

/** The paths inside one word: all of it, what follows an option's letter or an equals sign, and parts of a list. */
function pathsIn(word: string): string[] {
  if (word === "" || word.length > maxPathChars) return [];
  if (/^(?!file:)[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(word)) return [];
  const file = /^file:(?:\/\/(?:localhost)?)?(\/.*)$/s.exec(word)?.[1];
  if (file !== undefined) return [file];
  const found = [word];
  const attached = /^-[A-Za-z]([/~.].*)$/s.exec(word)?.[1];
  if (attached !== undefined) found.push(attached);
  if (/[=:,@]/.test(word)) found.push(...word.split(/[=:,@]/).slice(1));
  return found;
}
