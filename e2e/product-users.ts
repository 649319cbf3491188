import { spawnSync } from "node:child_process";
import { chownSync, lstatSync, readdirSync } from "node:fs";
import path from "node:path";

/** Whom a product of the tests runs as; no user is whoever runs the tests. */
export type ProductUser = { who: string; user: { uid: number; gid: number } | undefined };

const nobody = { uid: 65_534, gid: 65_534 };
const checkout = path.resolve(import.meta.dirname, "..");

/**
 * Root and an unprivileged user where the tests run as root; else the one that there is. `npm test` looks at root alone, who has more to
 * lose; `npm run test:all` at both.
 * @throws Error when the unprivileged user cannot run Node in the checkout, because half of the promises would go untested
 */
export function productUsers(): ProductUser[] {
  if (process.getuid?.() !== 0) return [{ who: "as an unprivileged user", user: undefined }];
  const asRoot = { who: "as root", user: undefined };
  if (process.env.HANDRAIL_WITHOUT_LONG_TESTS) return [asRoot];
  const { status, stderr, error } = spawnSync(process.execPath, ["--version"], { cwd: checkout, encoding: "utf8", ...nobody });
  if (status !== 0) {
    throw new Error(
      `The tests run as root, and the user nobody cannot run ${process.execPath} in ${checkout} (${error?.message ?? stderr.trim()}). Make both readable for everybody, or run the tests as another user.`,
    );
  }
  return [asRoot, { who: "as an unprivileged user", user: nobody }];
}

/** Gives a folder and everything in it to a user; links stay as they are. */
export function giveTo(file: string, user: ProductUser["user"]): void {
  if (!user || lstatSync(file).isSymbolicLink()) return;
  chownSync(file, user.uid, user.gid);
  if (lstatSync(file).isDirectory()) for (const name of readdirSync(file)) giveTo(path.join(file, name), user);
}
