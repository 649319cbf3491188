import { followedPath } from "../paths/followed-path";
import { globFits } from "../paths/glob";
import { unknownPiece } from "../script/words";
import type { FloorCommand } from "./floor-command";
import { optionValues } from "./option-values";

const device =
  /^\/dev\/((s|h|v|xv)d[a-z]+\d*|nvme\d.*|mmcblk\d.*|(r?disk|dm-|md|nbd|zd|sr|loop)\d.*|(mapper|disk|block|vg[^/]*)\/.+|k?mem|port)$/;
/** Sample device names that a glob under /dev is tried on. */
const examples = ["sda", "sda1", "sdb", "hda", "vda", "xvda", "nvme0n1", "mmcblk0", "dm-0", "md0", "disk0"];

/** Returns whether a path is a kernel switch that stops the machine without its operating system. */
export function isSystemTrigger(target: string, folder: string): boolean {
  return !/[*?[]/.test(target) && /^\/(?:proc\/sysrq-trigger|sys\/power\/(?:state|disk))$/.test(followedPath(target, folder));
}

/** Returns whether a path is a disk, a partition or the machine's memory. */
export function isRawDevice(target: string, folder: string): boolean {
  const file = followedPath(target, folder);
  if (!file.startsWith("/dev/")) return false;
  if (!/[*?[]/.test(file)) return device.test(file);
  // Programs differ in the rules inside brackets ([[:alpha:]], []-]), so everything from a bracket on matches anything.
  const name = file.slice("/dev/".length).replace(/\[.*/s, "*");
  return examples.some((example) => globFits(name, example));
}

/** Commands that write to each of their operands. */
const writers = new Set([
  "tee",
  "shred",
  "wipefs",
  "blkdiscard",
  "sgdisk",
  "sfdisk",
  "badblocks",
  "truncate",
  "sponge",
  "pvcreate",
  "pvremove",
  "sg_format",
  "sg_sanitize",
]);
/** Commands that write to their last operand. */
const copiers = new Set(["cp", "mv", "install", "rsync", "ddrescue", "dd_rescue"]);

/** The subcommands and options with which a tool erases a device; each tool has other uses, too. */
const erases = new Map<string, RegExp>([
  ["nvme", /^(format|sanitize|write-zeroes|write-uncor|write)$/],
  ["hdparm", /^--(security-erase|security-erase-enhanced|trim-sector-ranges|write-sector|make-bad-sector|repair-sector|sanitize-.*)/],
  ["cryptsetup", /^(luksFormat|luksErase|erase|format)$/],
  ["mdadm", /^(-C|--create|--zero-superblock)$/],
  ["parted", /^(mklabel|mktable|mkpart|rm|resizepart)\b/],
  ["zpool", /^(create|labelclear)$/],
]);
const inPlaceOfFile = ["-o", "-O", "--output", "--output-document"];
/** The options with which a program names its output file. */
const outputOptions = new Map<string, readonly string[]>([
  ...["curl", "wget", "wget2", "aria2c", "sort", "gsort", "shuf", "gcc", "cc", "g++", "clang", "ld", "pv", "mbuffer", "gpg", "iconv"].map(
    (name) => [name, inPlaceOfFile] as const,
  ),
  ...["cp", "mv", "install"].map((name) => [name, ["-t", "--target-directory"]] as const),
]);

/** Returns the files that a command writes, for those programs whose output can destroy a device. */
export function filesWrittenBy({ name, words }: FloorCommand): readonly string[] {
  const args = words.slice(1);
  const operands = () => args.filter((word) => !word.startsWith("-"));
  if (/^(g|busybox-)?dd$|^dcfldd$/.test(name)) return args.flatMap((word) => /^of=(.*)/s.exec(word)?.[1] ?? []);
  if (writers.has(name)) return readsOnly(name, args) ? [] : operands();
  const pattern = erases.get(name);
  if (pattern) return args.some((word) => pattern.test(word)) ? operands() : [];
  if (name === "openssl") return args.flatMap((word, at) => (/^-(out|keyout|writerand)$/.test(word) ? args.slice(at + 1, at + 2) : []));
  const options = outputOptions.get(name);
  const named = options ? optionValues(args, options) : [];
  return copiers.has(name) ? [...operands().slice(-1), ...named] : named;
}

/** Returns the device that a command writes to directly, below every file system. */
export function writesToDevice(command: FloorCommand): string | null {
  return filesWrittenBy(command).find((file) => isRawDevice(file, command.folder)) ?? null;
}

function readsOnly(name: string, args: readonly string[]): boolean {
  if (name === "wipefs") return !args.some((word) => /^-\w*[ao]|^--(all|offset)/.test(word));
  if (name === "badblocks") return !args.some((word) => /^-\w*[wn]/.test(word));
  if (name !== "sgdisk" && name !== "sfdisk") return false;
  const options = args.filter((word) => word.startsWith("-"));
  return options.length > 0 && options.every((word) => /^(-p|-l|-i|-v|--print|--list|--info|--verify|-d|--dump)$/.test(word));
}

const formatters = /^(mkfs(\..+)?|mke2fs|mkdosfs|mkntfs|mkreiserfs|newfs(_.+)?|mkswap)$/;

/**
 * Returns whether a command makes a file system on a device, which destroys the data there; an image in a file does not
 * count.
 */
export function makesFileSystem({ name, words, folder }: FloorCommand): boolean {
  if (!formatters.test(name)) return false;
  return words.slice(1).some((word) => word.includes(unknownPiece) || followedPath(word, folder).startsWith("/dev/"));
}
