import type { ShellWord } from "../script/words";
import {
  type EffectSink,
  type FixedEffect,
  givenOption,
  notes,
  type Program,
  program,
  quietlyWrites,
  readsThenWrites,
  runsUnknown,
} from "./program";

const runsAnother = { ...runsUnknown, note: "shell.runs_command", says: "starts another program" } as const;
const deletesFiles = notes("shell.delete", "deletes files");
const writesUnknownPath: FixedEffect = { kind: "write", target: { where: "not_known" } };
const deletesUnknownPath: FixedEffect = { kind: "delete", target: { where: "not_known" }, recursive: true };

/** Adds the files of `dd if=x of=y`. */
function copiesBlocks({ parsed, role, does }: EffectSink): void {
  for (const word of parsed.operands) {
    const [, name, value = ""] = /^(if|of)=(.*)$/s.exec(word.value) ?? [];
    if (name) role(name === "if" ? "reads" : "writes", { ...word, value });
    if (name === "of" && !/^\/dev\/(?:null|stdout)$/.test(value)) does(notes("shell.raw_copy", "copies raw blocks"), word);
  }
}

function changesMode({ parsed, does }: EffectSink): void {
  const [mode] = parsed.operands;
  if (!mode) return;
  if (/^[0-7]*[2367]$|^0*[1-7][0-7]{3}$|^[ugoa]*o[ugoa]*[+=][rxstX]*w|^a?[+=][rxst]*w|[ugoa]*[+=]\w*s/.test(mode.value)) {
    does(notes("shell.open_permissions", "lets everybody change a file, or run it as its owner"), mode);
  }
}

function changesOwner({ parsed, does }: EffectSink): void {
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
function packs({ parsed, command, role, does }: EffectSink): void {
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
  if (isUnpacking) {
    if (!onlyLooks && folders.length === 0 && name) role("writes", { ...name, value: ".", certainty: "literal" }, true);
    // Names in the archive then count from the root of the machine.
    if (!onlyLooks && isGiven(/^(?:-P|--absolute-names)$/)) does(writesUnknownPath, name);
  } else if (!isGiven(/^(?:-t|--list|--delete)$/)) for (const word of files) role("reads", word, true);
}

/** Adds the effects of `unzip a.zip`: it writes into the working folder or the folder of an option, unless it only lists. */
function unzips({ parsed, command, role }: EffectSink): void {
  const [name] = command.words;
  if (parsed.operands.length === 0 || !name || givenOption(parsed, "-l -v -t -p -c -z -Z -d")) return;
  role("writes", { ...name, value: ".", certainty: "literal" }, true);
}

/** Adds the effects of `7z x a.7z -odist`: every command that does not only list writes archives or files. */
function unpacksOrPacks({ parsed, does }: EffectSink): void {
  const [verb] = parsed.operands;
  if (verb && !/^(?:[ltp]|l[bt]|v[bt]?|b|h|i)$/.test(verb.value)) does(writesUnknownPath, verb);
}

/** Recognises the option that runs a program inside a cluster of letters: `zip -qTT program`. */
function testsArchive({ command, does }: EffectSink): void {
  const word = command.words.find(({ value }) => /^-\w*TT/.test(value));
  if (word) does(runsAnother, word);
}

/** Reads the response file in `@list`, whose words binutils take as arguments. */
export function readsLists({ parsed, role }: EffectSink): void {
  for (const word of parsed.operands) if (word.value.startsWith("@")) role("file_list", { ...word, value: word.value.slice(1) });
}

/** Programs that list, copy, move, delete and pack files and folders. */
export const filePrograms: readonly Program[] = [
  program("ls dir vdir exa eza lsd", {
    operands: ["lists"],
    without: ["lists"],
    recursive: "-R --recursive",
    followsLinks: "-L -X --dereference --follow-symlinks",
  }),
  program("tree", {
    operands: ["lists"],
    without: ["lists"],
    recursive: true,
    followsLinks: "-l",
    valued: { "-o --output": quietlyWrites, "-L -P -I --filelimit --charset": "text" },
  }),
  program("stat", { operands: ["lists"], followsLinks: "-L --dereference", valued: { "-c --format --printf": "text" } }),
  program("readlink realpath namei lsattr getfacl", { operands: ["lists"], valued: { "--relative-to --relative-base": "lists" } }),
  program("getfattr", { operands: ["lists"], valued: { "-n -e -m --name --encoding --match": "text" } }),
  program("file", {
    operands: ["reads"],
    valued: { "-f --files-from": "file_list", "-m --magic-file": "reads", "-F --separator -e --exclude -P --parameter": "text" },
    flags: { "-C --compile": [runsUnknown] },
  }),
  program("du", {
    followsLinks: "-L --dereference",
    operands: ["lists"],
    without: ["lists"],
    recursive: true,
    valued: {
      "--files0-from": "file_list",
      "-X --exclude-from": "reads",
      "-d --max-depth --exclude -B --block-size -t --threshold": "text",
    },
  }),
  program("df", { operands: ["lists"] }),
  program("basename dirname", {}),
  program("cat", { operands: ["reads"] }),
  program("tac", { operands: ["reads"], valued: { "-s --separator": "text" } }),
  program("nl", { operands: ["reads"], valued: { "-b -d -f -h -i -l -n -s -v -w": "text" } }),
  program("head tail", { operands: ["reads"], valued: { "-n --lines -c --bytes -s --sleep-interval --pid": "text" } }),
  program("less more", {
    operands: ["reads"],
    valued: {
      "-o -O --log-file": quietlyWrites,
      "-k --lesskey-file --lesskey-src -T --tag-file": "reads",
      "-b -h -j -p -P -t -x -y -z": "text",
    },
  }),
  program("bat batcat", {
    operands: ["reads"],
    valued: {
      "--pager": { role: "text", does: [runsAnother] },
      "-l --language -r --line-range -H --highlight-line --theme --style -m --map-syntax --file-name --tabs --wrap --color --paging --terminal-width":
        "text",
    },
  }),
  program("wc", { operands: ["reads"], valued: { "--files0-from": "file_list" } }),
  program("cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum sum", {
    operands: ["reads"],
    valued: { "-a --algorithm -l": "text" },
    flags: { "-c --check": [{ kind: "read", target: { where: "not_known" } }] },
  }),
  program("diff sdiff colordiff", {
    operands: ["reads"],
    recursive: "-r --recursive",
    valued: {
      "-o --output": quietlyWrites,
      "-U -C -W -x -I -F --label -L --exclude": "text",
      "-X --exclude-from --from-file --to-file": "reads",
      "--diff-program": { role: "text", does: [runsAnother] },
    },
  }),
  program("cmp", { operands: ["reads"], valued: { "-n -i --bytes --ignore-initial": "text" } }),
  program("comm", { operands: ["reads"], valued: { "--output-delimiter": "text" } }),
  program("join", { operands: ["reads"], valued: { "-t -o -e -j -1 -2 -a -v": "text" } }),
  program("paste", { operands: ["reads"], valued: { "-d --delimiters": "text" } }),
  program("strings", { operands: ["reads"], special: readsLists, valued: { "-n -t -e -T --bytes --encoding --radix -s": "text" } }),
  program("od", {
    operands: ["reads"],
    attached: "-w",
    valued: { "-A -j -N -S -t --address-radix --skip-bytes --read-bytes --format --strings --width": "text" },
  }),
  program("hexdump hd", { operands: ["reads"], valued: { "-e -n -s": "text", "-f": "reads" } }),
  program("xxd", { special: readsThenWrites, valued: { "-c -g -l -n -s -o": "text" } }),
  program("cp", {
    operands: ["reads"],
    lastOperand: "writes",
    recursive: "-r -R -a --recursive --archive",
    valued: { "-t --target-directory": "writes", "-S --suffix": "text" },
  }),
  program("install", {
    operands: ["reads"],
    lastOperand: "writes",
    valued: {
      "-t --target-directory": "writes",
      "-m -o -g -S --mode --owner --group --suffix": "text",
      "--strip-program": { role: "text", does: [runsAnother] },
    },
  }),
  program("mv", { operands: ["deletes"], lastOperand: "writes", valued: { "-t --target-directory": "writes", "-S --suffix": "text" } }),
  program("ln link", { operands: ["lists"], lastOperand: "writes", valued: { "-t --target-directory": "writes", "-S --suffix": "text" } }),
  program("mkdir mkfifo", { operands: ["writes"], valued: { "-m --mode": "text" } }),
  program("touch", { operands: ["writes"], valued: { "-d -t --date --time": "text", "-r --reference": "lists" } }),
  program("truncate fallocate", {
    operands: ["changes"],
    valued: { "-s -l -o --size --length --offset": "text", "-r --reference": "lists" },
  }),
  program("mktemp", { operands: ["writes"], valued: { "-p --tmpdir": "writes", "--suffix": "text" } }),
  program("tee sponge", { operands: ["writes"] }),
  program("pv mbuffer", { operands: ["reads"], valued: { "-o --output": "writes" } }),
  program("ddrescue dd_rescue", { operands: ["reads", "writes"] }),
  program("split csplit", {
    operands: ["reads", "writes"],
    valued: { "-b -l -n -C -a --bytes --lines --number -f -d": "text", "--filter": { role: "script", does: [runsAnother] } },
  }),
  program("rm srm trash", { operands: ["deletes"], recursive: "-r -R --recursive", does: [deletesFiles] }),
  program("rimraf", { operands: ["deletes"], recursive: true }),
  program("rmdir", { operands: ["deletes"] }),
  program("unlink", { operands: ["deletes"], does: [deletesFiles] }),
  program("shred", {
    operands: ["deletes"],
    // `shred` overwrites the blocks, so no undelete tool can recover them.
    does: [deletesFiles, { kind: "delete", irreversible: true }],
    valued: { "-n -s --iterations --size": "text" },
  }),
  program("chmod", {
    operands: ["text", "changes"],
    special: changesMode,
    recursive: "-R --recursive",
    valued: { "--reference": "lists" },
  }),
  program("chown chgrp", {
    operands: ["text", "changes"],
    special: changesOwner,
    recursive: "-R --recursive",
    valued: { "--reference --from": "text" },
  }),
  program("setfacl chattr setfattr", { operands: ["text", "changes"] }),
  program("dd gdd busybox-dd dcfldd", { special: copiesBlocks }),
  program("tar bsdtar gtar", {
    special: packs,
    valued: {
      "-f --file -C --directory": "text",
      "-T --files-from": "file_list",
      "-X --exclude-from": "reads",
      "--exclude --strip-components --transform --owner --group --mode --mtime --format -b -H -N": "text",
      "-I --use-compress-program --checkpoint-action --to-command --rsh-command --info-script --new-volume-script -F --rmt-command": {
        role: "text",
        does: [runsAnother],
      },
    },
    flags: { "--remove-files": [deletesFiles], "--checkpoint": [] },
  }),
  program("zip", {
    operands: ["writes", "reads"],
    recursive: "-r",
    valued: { "-x -i -s -P -b -t -tt -n": "text", "-T": "text", "-TT --unzip-command": { role: "text", does: [runsAnother] } },
    flags: { "-m": [deletesFiles] },
    special: testsArchive,
  }),
  program("unzip", { operands: ["reads", "text"], valued: { "-d": "writes", "-x -P": "text" }, special: unzips }),
  program("7z 7za unrar", { operands: ["text", "reads"], special: unpacksOrPacks }),
  program("unar", { operands: ["reads"], valued: { "-o": "writes" }, does: [writesUnknownPath] }),
  program("gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 brotli compress uncompress", {
    operands: ["changes"],
    valued: { "-S --suffix -o -T --threads -D": "text" },
    flags: { "-c --stdout -t --test -l --list": [] },
  }),
  program("zcat bzcat xzcat zstdcat lz4cat zless zmore", { operands: ["reads"] }),
  program("rsync", {
    operands: ["remote_read"],
    lastOperand: "remote_write",
    recursive: "-r -a --recursive --archive",
    valued: {
      "-e --rsh --rsync-path": { role: "text", does: [runsAnother] },
      "--files-from": "file_list",
      "--exclude --include --filter -f --bwlimit --timeout --chmod --chown --port -T": "text",
      "--exclude-from --include-from --password-file": "reads",
      "--log-file --backup-dir --partial-dir": "writes",
    },
    flags: { "--delete --delete-after --delete-before --delete-excluded --remove-source-files": [deletesUnknownPath] },
  }),
  program("open xdg-open", { operands: ["reads"], does: [runsAnother] }),
  program("patch", {
    operands: ["changes", "reads"],
    valued: { "-i --input": "reads", "-o --output": "writes", "-p -F -D": "text", "-d --directory": "lists" },
    without: [{ kind: "write", target: { where: "not_known" } }],
  }),
];
