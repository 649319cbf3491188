import { followedPath } from "../paths/followed-path";
import { globFits } from "../paths/glob";
import { unknownPiece } from "../script/words";
import type { FloorCommand } from "./floor-command";

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

/** Tools for disks, each with the word by which it erases its operands; other uses only read or change settings. */
const erases = new Map<string, RegExp>([
  ...["shred", "blkdiscard", "pvcreate", "pvremove", "sg_format", "sg_sanitize"].map((name) => [name, /^/] as const),
  ["wipefs", /^-\w*[ao]|^--(all|offset)/],
  ["badblocks", /^-\w*[wn]/],
  ["nvme", /^(format|sanitize|write-zeroes|write-uncor|write)$/],
  ["hdparm", /^--(security-erase|security-erase-enhanced|trim-sector-ranges|write-sector|make-bad-sector|repair-sector|sanitize-.*)/],
  ["cryptsetup", /^(luksFormat|luksErase|erase|format)$/],
  ["mdadm", /^(-C|--create|--zero-superblock)$/],
  ["parted", /^(mklabel|mktable|mkpart|rm|resizepart)\b/],
  ["zpool", /^(create|labelclear)$/],
]);
/** Tools for partitions, which write unless they are told to show. */
const partitions = /^s[gf]disk$/;
const shows = /^(-p|-l|-i|-v|--print|--list|--info|--verify|-d|--dump)$/;

/** Folders of devices and switches of the kernel; effects are read again only for commands that may name one. */
const ofMachine = /dev|proc|sys/;

/** Returns the files of the machine that a command writes: by its effects, and those that a tool for disks erases. */
export function filesWrittenBy(command: FloorCommand): readonly string[] {
  const { name, words } = command;
  const args = words.slice(1);
  const options = args.filter((word) => word.startsWith("-"));
  const isErasing = partitions.test(name)
    ? options.length === 0 || !options.every((word) => shows.test(word))
    : args.some((word) => erases.get(name)?.test(word));
  if (isErasing) return args.filter((word) => !word.startsWith("-"));
  return ofMachine.test(command.folder) || args.some((word) => ofMachine.test(word)) ? command.writes() : [];
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
