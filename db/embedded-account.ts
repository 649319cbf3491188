import "server-only";
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { chown, lchown, readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Binaries } from "./embedded-binaries";
import { StartError } from "./start-error";

/** The account that runs Postgres, and the command prefix that switches to the account. */
export type Account = {
  /** Put before the program: `[...prefix, program, ...args]`. */
  prefix: string[];
  /** Ids that the child process switches to; absent: the child keeps our ids. */
  switchTo: { uid: number; gid: number } | null;
  /** Required owner of the database's folder. */
  owner: { uid: number; gid: number };
};

/**
 * Chooses the account for Postgres, which refuses to run as root. Without root, Postgres runs as the current user. With
 * root, the candidates in order are: the owner of the existing database (unless root); a user namespace in which our
 * own id has another number, so that no file changes its owner; the owner of the installation; the system's `postgres`;
 * `nobody`. The first candidate that reaches both the programs and the data wins.
 *
 * @param cluster the database's folder, which may not exist yet
 * @throws StartError when nobody can
 */
export async function accountFor(binaries: Binaries, cluster: string): Promise<Account> {
  const us = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
  if (us.uid !== 0) return { prefix: [], switchTo: null, owner: us };

  const dataDir = path.dirname(cluster);
  for await (const account of candidates(binaries, cluster)) {
    if (canRun(account, binaries, cluster) && canEnter(account, dataDir)) return account;
  }
  throw new StartError(
    `Postgres does not run as root, and no other user can reach both ${path.dirname(binaries.postgres)} and ${dataDir}: ` +
      "start Handrail as a user of its own, set HANDRAIL_DATA_DIR to a folder that everybody may enter, or set DATABASE_URL.",
  );
}

async function* candidates(binaries: Binaries, cluster: string): AsyncGenerator<Account> {
  const present = await ownerOf(cluster);
  if (present && present.uid !== 0) yield switchedTo(present);
  yield inUserNamespace();
  for (const ids of [await ownerOf(binaries.postgres), idsOf("postgres"), idsOf("nobody")]) {
    if (ids && ids.uid > 0) yield switchedTo(ids);
  }
}

/** Changes the owner of the folder and everything in it to the account's, when another user owns the folder. */
export async function handOver(folder: string, { owner }: Account): Promise<void> {
  const present = await ownerOf(folder);
  if (!present || present.uid === owner.uid || process.getuid?.() !== 0) return;
  for (const entry of await readdir(folder, { recursive: true })) await lchown(path.join(folder, entry), owner.uid, owner.gid);
  await chown(folder, owner.uid, owner.gid);
}

function switchedTo(ids: { uid: number; gid: number }): Account {
  return { prefix: [], switchTo: ids, owner: ids };
}

function inUserNamespace(): Account {
  const ids = idsOf("postgres") ?? idsOf("daemon") ?? { uid: 1, gid: 1 };
  return {
    prefix: ["unshare", "--user", `--map-user=${ids.uid}`, `--map-group=${ids.gid}`, "--"],
    switchTo: null,
    owner: { uid: 0, gid: 0 },
  };
}

/** Lets other users traverse our own folder (they still cannot list it), because `canEnter` then tries as another user. */
function letPass(folder: string): void {
  const { mode, uid } = statSync(folder);
  if (uid === process.getuid?.() && (mode & 0o111) !== 0o111) chmodSync(folder, (mode & 0o777) | 0o111);
}

/** Runs `initdb --show`, which looks up its user, loads its libraries, and writes nothing. */
function canRun(account: Account, { initdb }: Binaries, cluster: string): boolean {
  return tryAs(account, initdb, ["--show", `--pgdata=${cluster}`]);
}

function canEnter(account: Account, folder: string): boolean {
  if (account.switchTo) letPass(folder);
  return tryAs(account, "ls", ["-d", `${folder}/.`]);
}

function tryAs({ prefix, switchTo }: Account, program: string, args: string[]): boolean {
  const [command = program, ...rest] = [...prefix, program, ...args];
  return spawnSync(command, rest, { ...switchTo, cwd: "/", stdio: "ignore", timeout: 10_000 }).status === 0;
}

async function ownerOf(file: string): Promise<{ uid: number; gid: number } | null> {
  return stat(file).then(
    ({ uid, gid }) => ({ uid, gid }),
    () => null,
  );
}

/** Reads the ids of a system user from /etc/passwd. */
function idsOf(user: string): { uid: number; gid: number } | null {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${user}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
}
