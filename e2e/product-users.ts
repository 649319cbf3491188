import { spawnSync } from "node:child_process";
import { chownSync, lstatSync, readdirSync } from "node:fs";
import path from "node:path";

/** Whom a product of the tests runs as; no user is whoever runs the tests. */
export type ProductUser = { who: string; user: { uid: number; gid: number } | undefined };

const nobody = { uid: 65_534, gid: 65_534 };
const checkout = path.resolve(import.meta.dirname, "..");

/** Root and an unprivileged user where the tests run as root and others can read the checkout; else the one that there is. */
export function productUsers(): ProductUser[] {
  if (process.getuid?.() !== 0) return [{ who: "as an unprivileged user", user: undefined }];
  const asRoot = { who: "as root", user: undefined };
  const { status } = spawnSync(process.execPath, ["--version"], { cwd: checkout, ...nobody });
  return status === 0 ? [asRoot, { who: "as an unprivileged user", user: nobody }] : [asRoot];
}

/** Gives a folder and everything in it to a user; links stay as they are. */
export function giveTo(file: string, user: ProductUser["user"]): void {
  if (!user || lstatSync(file).isSymbolicLink()) return;
  chownSync(file, user.uid, user.gid);
  if (lstatSync(file).isDirectory()) for (const name of readdirSync(file)) giveTo(path.join(file, name), user);
}
