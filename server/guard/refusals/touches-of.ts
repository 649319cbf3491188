import path from "node:path";
import type { Touch } from "@/db/schema";
import { maskInText } from "@/server/audit/mask-secrets";
import type { CallOnTrial } from "../call-on-trial";
import { valuesOf } from "../shell/inner-commands";
import { homeFolder, unknownValue } from "../shell/resolve-word";
import type { RunningCommand } from "../shell/running-commands";
import { hostsIn, hostsInQuotes, hostsOfArgument, hostsOfOperand } from "./hosts-named";
import { pathsInCode } from "./paths-in-code";

/** A call is known by so many touches at the most; what goes beyond is not looked at. */
const maxTouches = 300;
const maxTargetChars = 1_024;
/** Of commands that stand together. */
const maxFolders = 20;

type Act = Touch["act"];

/** Commands that look at their operands and leave them as they are. */
const readers = new Set(
  "[ awk base64 basename bat cat cd cksum cmp comm cut date df diff dirname du echo egrep env false fgrep file find fold grep head hexdump id jq less ls md5sum more nl od paste printf ps pwd readlink realpath rg seq sha1sum sha256sum sort stat strings tac tail test tr tree true type uname uniq wc which whoami xxd yq zcat".split(
    " ",
  ),
);
/** Commands whose last operand is written and whose others are read. A link is not among them: by it, its file is changed. */
const copiers = new Set(["cp", "install", "rsync", "scp"]);
/** Commands whose operands are files, whatever they look like; other commands may mean anything by a plain word. */
const changers = new Set(
  "chgrp chmod chown cp dd ed ex gzip bzip2 xz install link ln mkdir mv nano patch rm rmdir rsync scp sed shred split srm tar tee touch trash truncate unlink unzip vi vim zip".split(
    " ",
  ),
);
const gitChangers: ReadonlySet<string | undefined> = new Set(["rm", "mv", "checkout", "restore", "clean", "apply"]);
/** Commands that reach into a folder that they are given. */
const reachers = new Set(["rm", "mv", "rmdir", "shred", "rsync", "chmod", "chown", "find", "trash", "srm"]);
/** Options with which a command that otherwise reads changes what it is given, or writes to it. */
const changingOptions = new Map([
  ["find", /^-(delete|exec|execdir|ok|okdir|fprint|fprint0|fprintf|fls)$/],
  ["sed", /^(-[a-zA-Z]*i|--in-place)/],
  ["sort", /^(-[a-zA-Z]*o|--o)/],
  ["tree", /^-[a-zA-Z]*o/],
  ["yq", /^(-[a-zA-Z]*i|--inplace)/],
]);
/** Languages that write what a program prints over the files that it reads. */
const inPlace = new Map([
  ["perl", /^-(?!-)[a-zA-Z0-9]*i/],
  ["ruby", /^-(?!-)[a-zA-Z0-9]*i/],
  ["gawk", /^(?:-i|--include=)?inplace$/],
  ["awk", /^(?:-i|--include=)?inplace$/],
]);
/** What rsync copies is gone then. */
const removesSource = /^--remove-s/;
/** Commands that read their first operand and write to the second, if there is one. */
const converters = new Set(["uniq", "xxd"]);
/** Commands that take a program as a word; what they are given beside it is read, as far as anybody can tell. */
const interpreters = /^(python|node|nodejs|deno|bun|perl|ruby|php|lua|tclsh|Rscript|osascript|awk|gawk|mawk)[\d.]*$/;
/** Names of arguments that hold a program. */
const codeName = /^(code|script|source_?code|program|command|cmd|query|sql|expression)$/i;
/** Names of arguments that hold a path. */
const pathName =
  /(path|paths|file|files|filename|dir|directory|folder|src|(?<!re)source|dest|destination|target|from|to|uri|url|output|input|location)$/i;
/** Names of arguments that hold what a server calls a thing by. */
const idName = /^(id|key|name|title|resource|table|bucket)$|_id$|Id$/;

/**
 * What a call reads, changes or reaches, as far as its arguments say: paths of the workspace, hosts, and what servers call
 * things by. Another tool that touches the same is known by it. A guess on the safe side: what cannot be told to be
 * reading counts as changing.
 */
export function touchesOf(call: CallOnTrial): Touch[] {
  const found = new Map<string, Touch>();
  const add = (act: Act, word: string) => {
    // Touches are kept with the conversation, and compared with what is kept.
    const target = maskInText(word);
    if (target !== "" && target.length <= maxTargetChars && found.size < maxTouches) found.set(`${act} ${target}`, { act, target });
  };
  const { folder } = call.context;
  const { cwd } = call.arguments;
  const start = typeof cwd === "string" ? cwd : ".";
  const addPath = (act: Act, word: string, from = ".") => {
    const target = normalPath(word, /^[/~]/.test(from) ? from : path.posix.join(start, from), folder);
    add(act, target);
    return target;
  };
  const addText = (act: Act, text: string) => {
    for (const host of hostsIn(text)) add("reach", host);
    const { texts, paths, reachesInto } = pathsInCode(text);
    for (const quoted of texts) for (const host of hostsInQuotes(quoted)) add("reach", host);
    for (const word of paths) {
      const target = isPathLike(word) ? addPath(act, word) : "";
      if (target !== "" && act === "change" && reachesInto(word)) add(act, path.posix.join(target, "*"));
    }
  };

  for (const { running } of call.scripts) {
    for (const { commands, writesTo } of running) {
      for (const command of commands) touchesOfCommand(command, { add, addPath, addText });
      // A redirection stands in the folder of its command, which is one of these.
      const folders = new Set(commands.slice(0, maxFolders).map(({ folder }) => folder));
      for (const word of writesTo) for (const folder of folders.add(".")) addPath("change", word, folder);
    }
  }
  if (call.shell) return [...found.values()];

  const { tool, texts } = call;
  const act: Act = tool.effect === "read" ? "read" : "change";
  for (const { name, text } of texts) {
    if (codeName.test(name)) addText(act, text);
    for (const host of hostsOfArgument(name, text)) add("reach", host);
    if (!isPathLike(text)) continue;
    if (name === tool.primaryArgument || pathName.test(name)) addPath(act, text);
    else if (idName.test(name)) add(act, `${tool.sourceRef ?? tool.source}#${text.trim()}`);
  }
  return [...found.values()];
}

type Add = {
  add: (act: Act, target: string) => void;
  /** @returns the path as it is added; "" when the word says nothing */
  addPath: (act: Act, word: string, from?: string) => string;
  addText: (act: Act, text: string) => void;
};

function touchesOfCommand({ name, words, folder: start, input }: RunningCommand, { add, addPath, addText }: Add): void {
  const { args, folder } = name === "git" ? withoutGlobalOptions(words.slice(1), start) : { args: words.slice(1), folder: start };
  const isInterpreter = interpreters.test(name);
  const end = args.indexOf("--");
  const operands = args.flatMap((word, at) => (end >= 0 && at > end ? [word] : operandOf(word)));
  const gitChanges = name === "git" && gitChangers.has(operands[0]);
  const namesFiles = changers.has(name) || readers.has(name) || gitChanges;
  const writesLast = (copiers.has(name) && !args.some((word) => removesSource.test(word))) || converters.has(name);
  const changes = isInterpreter
    ? args.some((word) => inPlace.get(name)?.test(word))
    : converters.has(name)
      ? operands.length > 1
      : changesFiles(name, args);
  for (const [index, word] of operands.entries()) {
    for (const host of hostsOfOperand(name, word)) add("reach", host);
    if (!namesFiles && !/[/.]/.test(word)) continue;
    const act: Act = !changes || (writesLast && index < operands.length - 1) ? "read" : "change";
    const target = addPath(act, word, folder);
    // What reaches into a folder touches what is in it.
    if (target !== "" && act === "change" && (reachers.has(name) || gitChanges)) add(act, path.posix.join(target, "*"));
  }
  for (const word of isInterpreter ? [] : filesWritten(name, args, operands)) addPath("change", word, folder);
  if (isInterpreter) for (const text of [...args, input ?? ""]) addText("change", text);
}

/** `git -C docs rm a`: what is meant for git as a whole stands before the subcommand. */
function withoutGlobalOptions(args: readonly string[], start: string): { args: readonly string[]; folder: string } {
  let folder = start;
  let at = 0;
  for (let word = args[0]; word?.startsWith("-"); word = args[at]) {
    const value = /^--work-tree=(.*)$/s.exec(word)?.[1] ?? args[at + 1] ?? "";
    if (/^(?:-C|--work-tree(?:=.*)?)$/s.test(word)) folder = value.startsWith("/") ? value : path.posix.join(folder, value);
    at += /^(?:-C|-c|--(?:git-dir|work-tree|namespace|exec-path|config-env))$/.test(word) ? 2 : 1;
  }
  return { args: args.slice(at), folder };
}

/** Options by which most programs are told where to write; what reads only when it has none of them is named. */
const outputOptions = ["-o", "--output", "--output-document", "--output-file", "--out", "--outfile", "--result-file"];
const ownOutputOptions = new Map<string, readonly string[]>([
  ["wget", ["-O", "-a", "--append-output", "--save-cookies"]],
  ["curl", ["-D", "--dump-header", "-c", "--cookie-jar", "--trace", "--trace-ascii", "--stderr", "--etag-save"]],
  ["tar", ["-f", "--file"]],
  ["gawk", ["-o", "-d", "-p"]],
  ["pg_dump", ["-f", "--file"]],
  ["mysqldump", ["-r"]],
  ["tcpdump", ["-w"]],
  ["tshark", ["-w"]],
  ["psql", ["-L", "--log-file"]],
]);
/** Options of one dash and several letters. */
const longWords = /^-(out|keyout|writerand|oN|oX|oG|oA|output|outfile)$/;
const saveByName = new Map([
  ["curl", /^(-[a-zA-Z]*[OJ]|--remote-name|--remote-header-name)/],
  ["wget", /^/],
  ["wget2", /^/],
]);

/** Files that a command writes to and that no operand of it names. */
function filesWritten(name: string, args: readonly string[], operands: readonly string[]): readonly string[] {
  if (copiers.has(name) || name === "mv" || name === "ln") return copiesIn(valuesOf(args, ["-t", "--target-directory"]), operands);
  if (readers.has(name) && !changesFiles(name, args)) return [];
  const saves = saveByName.get(name);
  return [
    ...valuesOf(args, outputOptions),
    ...valuesOf(args, ownOutputOptions.get(name) ?? []),
    ...args.flatMap((word, at) => (longWords.test(word) ? args.slice(at + 1, at + 2) : [])),
    ...(saves && args.some((word) => saves.test(word)) ? operands.flatMap(nameInAddress) : []),
  ];
}

/** `cp docs/a .` writes ./a: what is copied into a folder has its own name there. */
function copiesIn(folders: readonly string[], operands: readonly string[]): string[] {
  const sources = folders.length > 0 ? operands : operands.slice(0, -1);
  const into = folders.length > 0 ? folders : operands.slice(-1);
  const [folder] = into;
  if (folder === undefined || folder.includes(unknownValue)) return [];
  return sources.slice(0, maxTouches).map((source) => path.posix.join(folder, path.posix.basename(source)));
}

/** The file that an address is saved as: the end of its path. */
function nameInAddress(word: string): string[] {
  const [, name] = /^(?:[a-z][a-z0-9+.-]{0,20}:\/\/)?[^/?#]+[^?#]*\/([^/?#]+)(?:[?#]|$)/i.exec(word.slice(0, maxTargetChars)) ?? [];
  return name === undefined ? [] : [name];
}

function changesFiles(name: string, args: readonly string[]): boolean {
  const options = changingOptions.get(name);
  return options ? args.some((word) => options.test(word)) : !readers.has(name);
}

/** The path in a word of a command: an operand, or the value of an option (`of=x`, `--output=x`). */
function operandOf(word: string): string[] {
  const value = /^[\w-]+=(.+)/s.exec(word)?.[1];
  if (value !== undefined) return [value];
  return word.startsWith("-") || word === "" ? [] : [word];
}

/** A path as the workspace folder sees it: what stands in it without the folder, everything else as it is. */
function normalPath(word: string, from: string, folder: string | undefined): string {
  // A word of which nothing is known says nothing.
  if (word === unknownValue) return "";
  const trimmed = word.trim();
  const known = (/^file:/i.test(trimmed) ? pathInUri(trimmed) : trimmed).replaceAll("\\", "/").replaceAll(unknownValue, "*");
  if (known === "") return "";
  const whole = /^[/~]/.test(known) || known.startsWith(homeFolder) ? known : path.posix.join(from, known);
  const normal = path.posix.normalize(whole.replace(homeFolder, "~")).replace(/(.)\/+$/, "$1");
  if (folder === undefined) return normal;
  return normal === folder ? "." : normal.startsWith(`${folder}/`) ? normal.slice(folder.length + 1) : normal;
}

function pathInUri(uri: string): string {
  const written = uri.replace(/^file:(?:\/\/(?:localhost(?=\/))?)?/i, "");
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

function isPathLike(text: string): boolean {
  return text.trim() !== "" && text.length <= maxTargetChars && !/[\n\r\0]/.test(text);
}
