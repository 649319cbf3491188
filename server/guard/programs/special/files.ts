import type { ShellWord } from "../../script/words";
import { type EffectSink, givenOption, notes, runsAnother, writesUnknown } from "../program";

/** Adds the files of `dd if=x of=y`. */
export function copiesBlocks({ parsed, role, does }: EffectSink): void {
  for (const word of parsed.operands) {
    const [, name, value = ""] = /^(if|of)=(.*)$/s.exec(word.value) ?? [];
    if (name) role(name === "if" ? "reads" : "writes", { ...word, value });
    if (name === "of" && !/^\/dev\/(?:null|stdout)$/.test(value)) does(notes("shell.raw_copy", "copies raw blocks"), word);
  }
}

/** Adds the link that `ln -s folder/file` makes in the working folder. */
export function linksHere({ parsed, role }: EffectSink): void {
  const [target, ...more] = parsed.operands;
  if (target && more.length === 0 && !givenOption(parsed, "-t --target-directory")) role("receives", { ...target, value: "." });
}

/** A mode that takes rights away reads like an option: `chmod -x a.sh`. */
const takesRights = /^-[rwxXst]/;

export function changesMode({ parsed, role, does }: EffectSink): void {
  const [mode] = parsed.operands;
  if (mode && parsed.options.some(({ name }) => takesRights.test(name))) role("changes", mode);
  if (!mode) return;
  if (/^[0-7]*[2367]$|^0*[1-7][0-7]{3}$|^[ugoa]*o[ugoa]*[+=][rxstX]*w|^a?[+=][rxst]*w|[ugoa]*[+=]\w*s/.test(mode.value)) {
    does(notes("shell.open_permissions", "lets everybody change a file, or run it as its owner"), mode);
  }
}

export function changesOwner({ parsed, does }: EffectSink): void {
  const [owner] = parsed.operands;
  if (owner) does(notes("shell.change_owner", "gives files to another owner"), owner);
}

/** Letters of `tar` that take the next word, in a first word without a dash: `tar xfC a.tgz dist`. */
const bundledValues = "fCbTXIFHNVLK";
const packingModes =
  "-c -x -t -r -u -A -d --create --extract --get --list --append --update --catenate --concatenate --diff --compare --delete";
const unpacks = /^(?:-x|--extract|--get)$/;
const looksIntoArchive = /^(?:-[td]|--list|--diff|--compare)$/;

/** Adds the effects of `tar`, whose first word may be letters without a dash: `tar xzf a.tgz`. */
export function packs({ parsed, command, role, does }: EffectSink): void {
  const [name] = command.words;
  const [first, ...rest] = parsed.operands;
  const given: { name: string; value: ShellWord | null }[] = [...parsed.options];
  let files = parsed.operands;
  if (first && !givenOption(parsed, packingModes)) {
    for (const letter of first.value) {
      const value = bundledValues.includes(letter) ? (rest.shift() ?? null) : null;
      given.push({ name: `-${letter}`, value });
      if (value && letter === "T") role("file_list", value);
      if (value && letter === "X") role("reads", value);
    }
    if (/[IF]/.test(first.value)) does(runsAnother, first);
    files = rest;
  }
  const isGiven = (pattern: RegExp) => given.some((option) => pattern.test(option.name));
  const valuesOf = (pattern: RegExp) => given.flatMap((option) => (pattern.test(option.name) && option.value) || []);
  const isUnpacking = isGiven(unpacks);
  const onlyLooks = isUnpacking ? isGiven(/^(?:-O|--to-stdout)$/) : isGiven(looksIntoArchive);
  // `host:archive` lies on another machine.
  for (const archive of valuesOf(/^(?:-f|--file)$/)) role(isUnpacking || onlyLooks ? "remote_read" : "remote_write", archive);
  const folders = valuesOf(/^(?:-C|--directory)$/);
  for (const folder of folders) role(isUnpacking && !onlyLooks ? "writes" : "reads", folder, true);
  for (const word of isUnpacking && !onlyLooks ? command.words : []) {
    const [, folder] = /^--one-top-level=(.+)$/.exec(word.value) ?? [];
    if (folder !== undefined) role("writes", { ...word, value: folder }, true);
  }
  if (isUnpacking) {
    if (!onlyLooks && folders.length === 0 && name) role("writes", { ...name, value: ".", certainty: "literal" }, true);
    // Names in the archive then count from the root of the machine.
    if (!onlyLooks && isGiven(/^(?:-P|--absolute-names)$/)) does(writesUnknown, name);
  } else if (!isGiven(/^(?:-t|--list|--delete)$/))
    for (const word of files) {
      role("reads", word, true);
      if (isGiven(/^--remove-files$/)) role("deletes", word, true);
    }
}

/** Adds the effects of `unzip a.zip`: it writes into the working folder or the folder of an option, unless it only lists. */
export function unzips({ parsed, command, role }: EffectSink): void {
  const [name] = command.words;
  if (parsed.operands.length === 0 || !name || givenOption(parsed, "-l -v -t -p -c -z -Z")) return;
  role("writes", givenOption(parsed, "-d")?.value ?? { ...name, value: ".", certainty: "literal" }, true);
}

/** Adds the effects of `7z x a.7z -odist`: every command that does not only list writes archives or files. */
export function unpacksOrPacks({ parsed, does }: EffectSink): void {
  const [verb] = parsed.operands;
  if (verb && !/^(?:[ltp]|l[bt]|v[bt]?|b|h|i)$/.test(verb.value)) does(writesUnknown, verb);
}

/** Adds a program inside a cluster of letters (`zip -qTT program`), and files that are deleted once they are packed. */
export function zips({ parsed, command, role, does }: EffectSink): void {
  if (givenOption(parsed, "-m --move")) for (const file of parsed.operands.slice(1)) role("deletes", file, true);
  const word = command.words.find(({ value }) => /^-\w*TT/.test(value));
  if (word) does(runsAnother, word);
}

/** Reads the response file in `@list`, whose words binutils take as arguments. */
export function readsLists({ parsed, role }: EffectSink): void {
  for (const word of parsed.operands) if (word.value.startsWith("@")) role("file_list", { ...word, value: word.value.slice(1) });
}
