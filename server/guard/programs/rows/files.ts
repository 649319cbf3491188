import {
  type FixedEffect,
  notes,
  type Program,
  program,
  quietlyWrites,
  readsThenWrites,
  readsUnknown,
  runsAnother,
  runsUnknown,
  writesUnknown,
} from "../program";
import { changesMode, changesOwner, copiesBlocks, linksHere, packs, readsLists, unpacksOrPacks, unzips, zips } from "../special/files";

const deletesFiles = notes("shell.delete", "deletes files");
const deletesUnknownPath: FixedEffect = { kind: "delete", target: { where: "not_known" }, recursive: true };

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
      "--pager": runsAnother,
      "-l --language -r --line-range -H --highlight-line --theme --style -m --map-syntax --file-name --tabs --wrap --color --paging --terminal-width":
        "text",
    },
  }),
  program("wc", { operands: ["reads"], valued: { "--files0-from": "file_list" } }),
  program("cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum sum", {
    operands: ["reads"],
    valued: { "-a --algorithm -l": "text" },
    flags: { "-c --check": [readsUnknown] },
  }),
  program("diff sdiff colordiff", {
    operands: ["reads"],
    recursive: "-r --recursive",
    valued: {
      "-o --output": quietlyWrites,
      "-U -C -W -x -I -F --label -L --exclude": "text",
      "-X --exclude-from --from-file --to-file": "reads",
      "--diff-program": runsAnother,
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
    lastOperand: "receives",
    recursive: "-r -R -a --recursive --archive",
    valued: { "-t --target-directory": "receives", "-S --suffix": "text" },
  }),
  program("install", {
    operands: ["reads"],
    lastOperand: "receives",
    valued: { "-t --target-directory": "receives", "-m -o -g -S --mode --owner --group --suffix": "text", "--strip-program": runsAnother },
  }),
  program("mv", { operands: ["deletes"], lastOperand: "becomes", valued: { "-t --target-directory": "receives", "-S --suffix": "text" } }),
  program("ln link", {
    operands: ["lists"],
    lastOperand: "becomes",
    valued: { "-t --target-directory": "receives", "-S --suffix": "text" },
    special: linksHere,
  }),
  program("mkdir mkfifo", { operands: ["makes"], valued: { "-m --mode": "text" } }),
  program("touch", { operands: ["makes"], valued: { "-d -t --date --time": "text", "-r --reference": "lists" } }),
  program("truncate fallocate", {
    operands: ["changes"],
    valued: { "-s -l -o --size --length --offset": "text", "-r --reference": "lists" },
  }),
  program("mktemp", { operands: ["makes"], valued: { "-p --tmpdir": "makes", "--suffix": "text" } }),
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
      "-I --use-compress-program --checkpoint-action --to-command --rsh-command --info-script --new-volume-script -F --rmt-command":
        runsAnother,
    },
    flags: { "--remove-files": [deletesFiles], "--checkpoint": [] },
  }),
  program("zip", {
    operands: ["writes", "reads"],
    recursive: "-r",
    valued: { "-x -i -s -P -b -t -tt -n": "text", "-T": "text", "-TT --unzip-command": runsAnother },
    flags: { "-m --move": [deletesFiles] },
    special: zips,
  }),
  program("unzip", { operands: ["reads", "text"], valued: { "-d -x -P": "text" }, actsByOptions: true, special: unzips }),
  program("7z 7za unrar", { operands: ["text", "reads"], special: unpacksOrPacks }),
  program("unar", { operands: ["reads"], valued: { "-o": "writes" }, does: [writesUnknown] }),
  program("gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 brotli compress uncompress", {
    operands: ["changes"],
    valued: { "-S --suffix -o -T --threads -D": "text" },
    flags: { "-c --stdout -t --test -l --list": [] },
  }),
  program("zcat bzcat xzcat zstdcat lz4cat zless zmore", { operands: ["reads"] }),
  program("rsync", {
    operands: ["remote_read"],
    lastOperand: "remote_receives",
    recursive: "-r -a --recursive --archive",
    valued: {
      "-e --rsh --rsync-path": runsAnother,
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
    without: [writesUnknown],
  }),
];
