import path from "node:path";
import { globFits } from "../matching/glob";
import type { RunningCommand } from "../shell/running-commands";

const device =
  /^\/dev\/((s|h|v|xv)d[a-z]+\d*|nvme\d.*|mmcblk\d.*|(r?disk|dm-|md|nbd|zd|sr|loop)\d.*|(mapper|disk|block|vg[^/]*)\/.+|k?mem|port)$/;
/** What a glob under /dev is tried on. */
const examples = ["sda", "sda1", "sdb", "hda", "vda", "xvda", "nvme0n1", "mmcblk0", "dm-0", "md0", "disk0"];

/** Whether a path is a disk, a partition or the machine's memory. */
export function isRawDevice(target: string): boolean {
  const file = path.posix.normalize(target);
  if (!file.startsWith("/dev/")) return false;
  if (!/[*?[]/.test(file)) return device.test(file);
  const name = file.slice("/dev/".length);
  // What a bracket stands for has rules of its own ([[:alpha:]], []-]): from there on, anything.
  if (name.includes("[")) return examples.some((example) => globFits(name.replace(/\[.*$/s, "*"), example));
  return examples.some((example) => globFits(name, example));
}

/** Commands that write to each file that they are given. */
const writers = new Set(["tee", "shred", "wipefs", "blkdiscard", "sgdisk", "sfdisk", "badblocks", "truncate"]);
/** Commands that write to the last of them. */
const copiers = new Set(["cp", "mv", "install", "rsync", "ddrescue", "dd_rescue"]);

/** The device that a command writes to, past every file system. */
export function writesToDevice({ name, words }: RunningCommand): string | null {
  const args = words.slice(1);
  const operands = args.filter((word) => !word.startsWith("-"));
  if (/^(g|busybox-)?dd$|^dcfldd$/.test(name)) return args.map((word) => /^of=(.*)$/s.exec(word)?.[1] ?? "").find(isRawDevice) ?? null;
  if (writers.has(name)) return readsOnly(name, args) ? null : (operands.find(isRawDevice) ?? null);
  if (copiers.has(name)) return operands.slice(-1).find(isRawDevice) ?? null;
  return null;
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
  const args = words.slice(1);
  const asksOnly = args.length === 1 && args.every((word) => /^(--help|-h|--version|-V)$/.test(word));
  return formatters.test(name) && !asksOnly;
}
