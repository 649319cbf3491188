import { globFits } from "../matching/glob";
import { followedPath } from "../shell/followed-path";
import { valuesOf } from "../shell/inner-commands";
import type { RunningCommand } from "../shell/running-commands";

const device =
  /^\/dev\/((s|h|v|xv)d[a-z]+\d*|nvme\d.*|mmcblk\d.*|(r?disk|dm-|md|nbd|zd|sr|loop)\d.*|(mapper|disk|block|vg[^/]*)\/.+|k?mem|port)$/;
/** What a glob under /dev is tried on. */
const examples = ["sda", "sda1", "sdb", "hda", "vda", "xvda", "nvme0n1", "mmcblk0", "dm-0", "md0", "disk0"];

/** Whether a path is the kernel's sysrq trigger, which stops the machine past its operating system. */
export function isSystemTrigger(target: string, folder: string): boolean {
  return /[*?[]/.test(target) ? false : followedPath(target, folder) === "/proc/sysrq-trigger";
}

/** Whether a path is a disk, a partition or the machine's memory. */
export function isRawDevice(target: string, folder: string): boolean {
  const file = followedPath(target, folder);
  if (!file.startsWith("/dev/")) return false;
  if (!/[*?[]/.test(file)) return device.test(file);
  // What a bracket stands for has rules of its own ([[:alpha:]], []-]): from there on, anything.
  const name = file.slice("/dev/".length).replace(/\[.*/s, "*");
  return examples.some((example) => globFits(name, example));
}

/** Commands that write to each file that they are given. */
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
  "sg_format",
  "sg_sanitize",
]);
/** Commands that write to the last of them. */
const copiers = new Set(["cp", "mv", "install", "rsync", "ddrescue", "dd_rescue"]);

/** What ends what is on a device, among other things that a program can do with it. */
const erases = new Map<string, RegExp>([
  ["nvme", /^(format|sanitize|write-zeroes|write-uncor|write)$/],
  ["hdparm", /^--(security-erase|security-erase-enhanced|trim-sector-ranges|write-sector|make-bad-sector|repair-sector|sanitize-.*)/],
  ["cryptsetup", /^(luksFormat|luksErase|erase|format)$/],
  ["mdadm", /^(-C|--create|--zero-superblock)$/],
  ["parted", /^(mklabel|mktable|mkpart|rm|resizepart)\b/],
  ["zpool", /^(create|labelclear)$/],
]);
const inPlaceOfFile = ["-o", "-O", "--output", "--output-document"];
/** Programs whose output goes to the file that such an option names. */
const outputOptions = new Map<string, readonly string[]>([
  ...["curl", "wget", "wget2", "aria2c", "sort", "gsort", "shuf", "gcc", "cc", "g++", "clang", "ld", "pv", "mbuffer", "gpg", "iconv"].map(
    (name) => [name, inPlaceOfFile] as const,
  ),
  ...["cp", "mv", "install"].map((name) => [name, ["-t", "--target-directory"]] as const),
]);

/** Files that a command writes to, as far as it matters what these are. */
export function filesWrittenBy({ name, words }: RunningCommand): readonly string[] {
  const args = words.slice(1);
  const operands = () => args.filter((word) => !word.startsWith("-"));
  if (/^(g|busybox-)?dd$|^dcfldd$/.test(name)) return args.flatMap((word) => /^of=(.*)/s.exec(word)?.[1] ?? []);
  if (writers.has(name)) return readsOnly(name, args) ? [] : operands();
  const pattern = erases.get(name);
  if (pattern) return args.some((word) => pattern.test(word)) ? operands() : [];
  if (name === "openssl") return args.flatMap((word, at) => (/^-(out|keyout|writerand)$/.test(word) ? args.slice(at + 1, at + 2) : []));
  const options = outputOptions.get(name);
  const named = options ? valuesOf(args, options) : [];
  return copiers.has(name) ? [...operands().slice(-1), ...named] : named;
}

/** The device that a command writes to, past every file system. */
export function writesToDevice(command: RunningCommand): string | null {
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

/** Whether a command makes a new file system, which loses what was there. */
export function makesFileSystem({ name, words }: RunningCommand): boolean {
  const asksOnly = words.length === 2 && /^(--help|-h|--version|-V)$/.test(String(words[1]));
  return formatters.test(name) && !asksOnly;
}
