import "server-only";
import { closeSync, openSync, readlinkSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import { env } from "@/server/platform/env";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import type { Bubblewrap } from "./bubblewrap";
import { openText } from "./open-text";
import type { Openings } from "./openings";
import { assertOpenable, isWithin, ownPaths } from "./protected-paths";
import { deviceNumbers, hostsFile, type SystemFolder, sandboxUser, systemFolder, topLevelFolders } from "./system-folder";

/** The file system, network and environment of one command. All paths are real: no component is a link. */
export type Box = {
  /** The conversation's folder: writable, HOME, and mounted at its own path. */
  root: string;
  cwd: string;
  /** Folder mounted at /tmp; null for a tmpfs that ends with the command. */
  temporaryFolder: string | null;
  environment: Readonly<Record<string, string>>;
  openings: Openings;
  /** Paths relative to `root`. */
  sensitive: readonly string[];
  runsByItself: readonly string[];
  /** Existing paths that people refused to have changed: read-only for every program of the box. */
  refused: readonly string[];
  /** Absolute folders beside /usr that hold the program itself; read-only. */
  programFolders?: readonly string[];
  /** True keeps the network namespace in which bubblewrap is started; false gives the command an empty network namespace. */
  keepsNetwork: boolean;
  /** Addresses of hosts for /etc/hosts, beside those of the loopback device. */
  names?: Readonly<Record<string, string>>;
};

/** Arguments for bubblewrap, and the open files whose numbers the arguments contain. */
export type BoxArguments = { args: string[]; descriptors: number[] };

const memoryFolderBytes = 256 * 1_048_576;
/** The flag that opens a path without reading rights; Node has no constant for it. */
const O_PATH = 0x200000;
const O_NOFOLLOW = 0x20000;
const maxProtected = 500;

/**
 * Builds bubblewrap's arguments for a box. The caller passes `descriptors` to the child from number `firstDescriptor` on,
 * and closes them after the start.
 * @throws AppError when an opening cannot be given
 */
export function boxArguments(box: Box, program: Bubblewrap, firstDescriptor: number): BoxArguments {
  const opened: number[] = [];
  const own = ownPaths();
  const outside = [...openingsOutside(box, "writable"), ...openingsOutside(box, "readable")];
  try {
    const bind = (file: string, { isWritable }: { isWritable: boolean }): string[] => {
      const flag = isWritable ? "--bind" : "--ro-bind";
      if (!program.canBindDescriptors) return [flag, file, file];
      opened.push(openExactly(file));
      return [`${flag}-fd`, String(firstDescriptor + opened.length - 1), file];
    };
    const openings = outside
      .map(({ file, isWritable }) => ({ file: realOpening(file, { isWritable, own }), isWritable }))
      .flatMap(({ file, isWritable }) => (file ? [{ file, isWritable }] : []))
      // Outer folders come first, because a later mount lies on top.
      .sort((one, other) => one.file.length - other.file.length);
    const readOnly = [...env().sandbox.readOnly, ...(box.programFolders ?? [])].filter((file) => statsOf(file));
    const visible = ["/usr", ...readOnly, ...openings.map(({ file }) => file), box.root];
    const hidden = own
      .filter((file) => file !== box.root && visible.some((folder) => isWithin(file, folder)) && statsOf(file))
      // A cover inside a covered folder would reveal its name. Covers in the conversation's folder stay, because that folder
      // is mounted on top.
      .filter((file, _index, all) => isWithin(file, box.root) || !all.some((outer) => outer !== file && isWithin(file, outer)))
      .sort((one, other) => one.length - other.length);
    const args = [
      ...isolation(box, program),
      ...systemView(systemFolder(), program),
      ...hostNames(box.names ?? {}, (text) => {
        opened.push(openText(text));
        return firstDescriptor + opened.length - 1;
      }),
      ...readOnly.flatMap((file) => ["--ro-bind", file, file]),
      ...(box.temporaryFolder ? ["--bind", box.temporaryFolder, "/tmp"] : memoryFolder("/tmp", program)),
      ...openings.flatMap(({ file, isWritable }) => bind(file, { isWritable })),
      ...hidden.filter((file) => !isWithin(file, box.root)).flatMap((file) => cover(file, program)),
      // Folders in /tmp or below a covered folder were mounted over.
      ...(box.programFolders ?? [])
        .filter((folder) => isWithin(folder, "/tmp") || hidden.some((outer) => isWithin(folder, outer)))
        .flatMap((folder) => ["--ro-bind", folder, folder]),
      "--bind",
      box.root,
      box.root,
      ...hidden.filter((file) => isWithin(file, box.root)).flatMap((file) => cover(file, program)),
      ...protections(box, { bind, program }),
      "--remount-ro",
      "/",
      ...Object.entries(box.environment).flatMap(([name, value]) => ["--setenv", name, value]),
      "--chdir",
      box.cwd,
    ];
    return { args, descriptors: opened };
  } catch (error) {
    for (const descriptor of opened) closeSync(descriptor);
    throw error;
  }
}

/** Returns the flags that part a program from the machine: namespaces, user, capabilities and environment. */
export function isolation({ keepsNetwork }: Pick<Box, "keepsNetwork">, { canDisableUserNamespaces }: Bubblewrap): string[] {
  return [
    "--unshare-user",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    ...(keepsNetwork ? [] : ["--unshare-net"]),
    ...(canDisableUserNamespaces ? ["--disable-userns"] : []),
    "--uid",
    String(sandboxUser.uid),
    "--gid",
    String(sandboxUser.gid),
    "--hostname",
    "sandbox",
    "--cap-drop",
    "ALL",
    "--die-with-parent",
    "--new-session",
    "--clearenv",
  ];
}

/** Files of /proc that root could read because root owns them: they show kernel memory and other users' keys. */
const rootReadable = ["keys", "kpagecgroup", "kpagecount", "kpageflags", "slabinfo", "timer_list", "vmallocinfo"];

function masksFromRoot(emptyFile: string): string[] {
  return rootReadable
    .map((name) => `/proc/${name}`)
    .filter((file) => statsOf(file))
    .flatMap((file) => ["--ro-bind", emptyFile, file]);
}

function systemView({ etc, emptyFile, devices }: SystemFolder, program: Bubblewrap): string[] {
  return [
    "--ro-bind",
    "/usr",
    "/usr",
    ...topLevelFolders().flatMap(({ folder, link }) => (link === null ? ["--ro-bind", folder, folder] : ["--symlink", link, folder])),
    "--ro-bind",
    etc,
    "/etc",
    "--dir",
    "/run",
    "--dir",
    "/var/tmp",
    "--proc",
    "/proc",
    ...(process.getuid?.() === 0 ? masksFromRoot(emptyFile) : []),
    // Handrail may run as root. Root owns /proc/sys and could change the kernel's settings even without capabilities.
    "--remount-ro",
    "/proc",
    "--dev",
    "/dev",
    ...(devices ? Object.keys(deviceNumbers).flatMap((name) => ["--dev-bind", path.join(devices, name), `/dev/${name}`]) : []),
    ...memoryFolder("/dev/shm", program),
    "--remount-ro",
    "/dev",
  ];
}

/** Mounts an /etc/hosts with further names. bubblewrap reads its text from a descriptor. */
function hostNames(names: Readonly<Record<string, string>>, pass: (text: string) => number): string[] {
  const lines = Object.entries(names).map(([name, address]) => `${address} ${name}\n`);
  if (lines.length === 0) return [];
  return ["--ro-bind-data", String(pass(`${hostsFile}${lines.join("")}`)), "/etc/hosts"];
}

function memoryFolder(folder: string, { canLimitTmpfs }: Bubblewrap): string[] {
  return [...(canLimitTmpfs ? ["--size", String(memoryFolderBytes)] : []), "--tmpfs", folder];
}

/** Mounts an empty folder, or an empty unreadable file, over an existing path. */
function cover(file: string, program: Bubblewrap): string[] {
  if (statsOf(file)?.isDirectory()) return memoryFolder(file, program);
  return ["--ro-bind", systemFolder().emptyFile, file];
}

type Binding = { bind: (file: string, options: { isWritable: boolean }) => string[]; program: Bubblewrap };

/**
 * Covers sensitive files, and makes read-only what people refused to have changed, and files that run by themselves
 * unless an opening of the call allows writing.
 */
function protections(box: Box, { bind, program }: Binding): string[] {
  const at = (relative: string) => path.join(box.root, relative);
  const uncovered = box.openings.uncovered.map((file) => path.resolve(box.root, file));
  const writable = box.openings.writable.map((file) => path.resolve(box.root, file));
  const readOnly = box.runsByItself.map(at).filter((file) => !writable.some((opened) => isWithin(file, opened)));
  const covered = box.sensitive.map(at).filter((file) => !uncovered.some((opened) => isWithin(file, opened)));
  if (readOnly.length + covered.length > maxProtected) {
    throw new AppError(
      "unavailable",
      `The folder holds more than ${maxProtected} files that are sensitive or run by themselves, which is more than the sandbox can protect. Move some of them away.`,
    );
  }
  // Renaming a folder would move the protected file away from its protected path. A mount point cannot be renamed.
  const refused = box.refused.map(at);
  const pinned = [...new Set([...readOnly, ...refused].flatMap((file) => foldersAbove(file, box.root)))]
    .filter((folder) => !refused.some((outer) => isWithin(folder, outer)))
    .sort((one, other) => one.length - other.length);
  const openedBelow = (file: string, opened: readonly string[], isWritable: boolean) =>
    opened.filter((below) => below !== file && isWithin(below, file) && statsOf(below)).flatMap((below) => bind(below, { isWritable }));
  return [
    ...pinned.flatMap((folder) => bind(folder, { isWritable: true })),
    ...refused.flatMap((file) => bind(file, { isWritable: false })),
    ...readOnly.flatMap((file) => [...bind(file, { isWritable: false }), ...openedBelow(file, writable, true)]),
    ...covered.flatMap((file) => {
      if (!statsOf(file)?.isDirectory()) return cover(file, program);
      return [...cover(file, program), ...openedBelow(file, uncovered, false), "--remount-ro", file];
    }),
  ];
}

/** Returns the folders between `root` and a file, outermost first, without `root` and the file. */
function foldersAbove(file: string, root: string): string[] {
  const names = path.relative(root, path.dirname(file)).split("/").filter(Boolean);
  return names.map((_name, index) => path.join(root, ...names.slice(0, index + 1)));
}

function openingsOutside({ openings, root }: Box, kind: "readable" | "writable"): { file: string; isWritable: boolean }[] {
  return openings[kind]
    .map((file) => path.resolve(root, file))
    .filter((file) => !isWithin(file, root))
    .map((file) => ({ file, isWritable: kind === "writable" }));
}

/**
 * Returns the real path of an opening; null when a readable path does not exist.
 * @throws AppError when the path belongs to Handrail, or when a writable path does not exist
 */
function realOpening(file: string, { isWritable, own }: { isWritable: boolean; own: readonly string[] }): string | null {
  assertOpenable(file, own);
  const real = realPath(file);
  if (!real && isWritable) {
    throw new AppError("not_found", `There is no ${file}, so it cannot be opened for writing. Name the folder that it is to be made in.`);
  }
  if (real) assertOpenable(real, own);
  return real;
}

function realPath(file: string): string | null {
  try {
    const descriptor = openSync(file, O_PATH);
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}

/** Opens a path, and refuses when a link now stands on the way. */
function openExactly(file: string): number {
  let descriptor: number;
  try {
    descriptor = openSync(file, O_PATH | O_NOFOLLOW);
  } catch (error) {
    throw new AppError("conflict", `${file} changed while the command was being started (${toErrorMessage(error)}). Try again.`);
  }
  if (readlinkSync(`/proc/self/fd/${descriptor}`) === file) return descriptor;
  closeSync(descriptor);
  throw new AppError("conflict", `${file} was replaced by a link while the command was being started. Try again.`);
}

function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
