import "server-only";
import { spawnSync } from "node:child_process";
import { createHash, type Hash, randomUUID } from "node:crypto";
import {
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { processWide } from "@/server/platform/process-wide";
import { sandboxPath } from "./sandbox-folder";
import { seccompFilter } from "./seccomp-filter";

/** The user of programs in the sandbox, by the sandbox's own numbers; outside, the user is Handrail's. */
export const sandboxUser = { uid: 1_000, gid: 1_000, name: "agent" } as const;

/** Owner of devices: a number that no user of the sandbox has. */
const nobody = 65_534;

/**
 * Entries of /etc that programs need and that reveal nothing about the machine: loader settings, names of network
 * services, certificates (never their keys), and files of language packages. Copied, because each mount of a single entry
 * would cost every command a tenth of a millisecond.
 */
const copied =
  /^(ld\.so\.cache|ld\.so\.conf|os-release|debian_version|services|protocols|rpc|mime\.types|magic|inputrc|locale\.alias|localtime|timezone|ca-certificates\.conf|alternatives|fonts|perl|python[\d.]*|java-[\w.-]+|maven|php|ruby|ImageMagick-\d|chromium\.d|libreoffice)$/;
const copiedBelow = ["ssl/certs", "ssl/openssl.cnf", "pki/tls/certs", "pki/ca-trust/extracted"];

/** Names of the loopback device. */
export const hostsFile = "127.0.0.1 localhost sandbox\n::1 localhost\n";

const made: Record<string, string> = {
  passwd: `root:x:0:0:root:/root:/bin/sh\n${sandboxUser.name}:x:${sandboxUser.uid}:${sandboxUser.gid}::/tmp:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n`,
  group: `root:x:0:\n${sandboxUser.name}:x:${sandboxUser.gid}:\nnogroup:x:65534:\n`,
  hosts: hostsFile,
  hostname: "sandbox\n",
  "host.conf": "multi on\n",
  "resolv.conf": "",
  "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n",
  // Handrail's user owns the folder and has another number inside; without the exception git would refuse the folder.
  gitconfig: `[user]\n\tname = ${sandboxUser.name}\n\temail = ${sandboxUser.name}@localhost\n[safe]\n\tdirectory = *\n[init]\n\tdefaultBranch = main\n[gc]\n\tautoDetach = false\n`,
};

/** Character devices of /dev, by their major and minor numbers. */
export const deviceNumbers = { null: [1, 3], zero: [1, 5], full: [1, 7], random: [1, 8], urandom: [1, 9], tty: [5, 0] } as const;

export type SystemFolder = {
  /** Folder mounted at /etc in the sandbox. */
  etc: string;
  /** An empty unreadable file, mounted over files that a command may not read. */
  emptyFile: string;
  /**
   * Device nodes without an owner in the sandbox, for a Handrail that runs as root: root owns the machine's devices, so a
   * command could chmod them. Null when Handrail is not root, or may not create devices.
   */
  devices: string | null;
  /** The seccomp filter; null on an architecture that has none. */
  filter: string | null;
};

/**
 * Builds the parts of the sandbox that are equal for every command, in a subfolder of the data folder named by its
 * content hash: several processes may share it, and an updated system gets a new folder at the next start.
 */
export function systemFolder(): SystemFolder {
  return processWide("sandboxSystemFolder", make);
}

function make(): SystemFolder {
  const names = [...entriesOf("/etc").filter((name) => copied.test(name)), ...copiedBelow].filter((name) => existsSync(`/etc/${name}`));
  const filter = seccompFilter();
  const hash = createHash("sha256").update(JSON.stringify([process.getuid?.(), made]));
  for (const name of names) addToHash(hash, path.join("/etc", name));
  if (filter) hash.update(filter);
  const folder = sandboxPath(`system-${hash.digest("hex").slice(0, 16)}`);
  if (!existsSync(folder)) write(folder, { names, filter });
  return {
    etc: `${folder}/etc`,
    emptyFile: `${folder}/empty-file`,
    devices: existsSync(`${folder}/dev`) ? `${folder}/dev` : null,
    filter: filter ? `${folder}/seccomp.bpf` : null,
  };
}

/** Hashes names, sizes and modification times instead of contents. */
function addToHash(hash: Hash, file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  hash.update(`\0${file}\0${stats?.size}\0${stats?.mtimeMs}`);
  if (stats?.isDirectory()) for (const name of entriesOf(file)) addToHash(hash, path.join(file, name));
}

function write(folder: string, { names, filter }: { names: readonly string[]; filter: Buffer | null }): void {
  const unfinished = `${folder}.${randomUUID()}`;
  const etc = `${unfinished}/etc`;
  mkdirSync(etc, { recursive: true, mode: 0o755 });
  for (const name of names) {
    const [from, to] = [path.join("/etc", name), `${etc}/${name}`];
    mkdirSync(path.dirname(to), { recursive: true, mode: 0o755 });
    // Links inside copied folders lead into /usr and stay links. A link at the top may lead anywhere, so its target is copied.
    if (statSync(from).isDirectory()) cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: isReadable });
    else writeFileSync(to, readFileSync(from), { mode: 0o644 });
  }
  for (const [name, text] of Object.entries(made)) writeFileSync(`${etc}/${name}`, text, { mode: 0o644 });
  writeFileSync(`${unfinished}/empty-file`, "", { mode: 0o000 });
  if (filter) writeFileSync(`${unfinished}/seccomp.bpf`, filter, { mode: 0o600 });
  if (process.getuid?.() === 0) makeDevices(`${unfinished}/dev`);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process created the folder first.
    if (!existsSync(folder)) throw error;
  }
}

/** Returns true for links and world-readable files: folders are copied without other files, even when Handrail is root. */
function isReadable(file: string): boolean {
  const stats = lstatSync(file);
  return stats.isSymbolicLink() || (stats.mode & 0o004) !== 0;
}

/** Creates all devices, or no folder. Reading one device shows whether this file system allows devices. */
function makeDevices(folder: string): void {
  mkdirSync(folder, { mode: 0o755 });
  try {
    for (const [name, numbers] of Object.entries(deviceNumbers)) {
      const file = `${folder}/${name}`;
      // Node has no mknod.
      const { status } = spawnSync("mknod", ["-m", "666", file, "c", ...numbers.map(String)], { stdio: "ignore" });
      if (status !== 0) throw new Error(`${file} could not be made`);
      chownSync(file, nobody, nobody);
    }
    closeSync(openSync(`${folder}/null`, "r+"));
  } catch {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the top-level entries beside /usr: links into /usr, or real folders on older systems. */
export function topLevelFolders(): { link: string | null; folder: string }[] {
  return ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"].flatMap((folder) => {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (!stats) return [];
    return [{ folder, link: stats.isSymbolicLink() ? readlinkSync(folder) : null }];
  });
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
