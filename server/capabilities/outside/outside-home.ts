import "server-only";
import { readdirSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import type { RunsOutside } from "@/contracts/decisions/decision";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";

/** A HOME of one call: a copy of the admin's folder, whose changes end with the call. */
export type OutsideHome = { folder: string; remove: () => Promise<void> };

const othersMayWrite = 0o022;
const maxFiles = 2_000;
const maxBytes = 64 * 1_048_576;

/** Returns the folder that an admin fills; the path is joined where the build cannot resolve it. */
const homeFolder = (): string => path.join(/* turbopackIgnore: true */ env().sandbox.outsideHome);

/** Returns the user and the HOME of calls outside of the sandbox. An empty HOME has no name, because nothing in it decides anything. */
export function describeOutside(): RunsOutside {
  return { user: ourUser(), home: isFilled(homeFolder()) ? homeFolder() : null };
}

function ourUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a number that no file names.
    return String(process.getuid?.() ?? "");
  }
}

function isFilled(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

/** Makes the folder that an admin fills, empty, so that it is found where the documentation says. */
export async function makeOutsideHome(): Promise<void> {
  await mkdir(homeFolder(), { recursive: true, mode: 0o700 });
}

/**
 * Copies the admin's folder for one call. A copy cannot be changed for later calls, whatever user the call runs as.
 * @throws AppError `unavailable` when somebody else may change the admin's folder, or when it is too large
 */
export async function copyOutsideHome(): Promise<OutsideHome> {
  await makeOutsideHome();
  const source = homeFolder();
  await assertOnlyAdminWrites(source);
  await assertSmall(source);
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-home-"));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  try {
    await cp(source, folder, { recursive: true, dereference: true, force: true });
    // The copy of a read-only folder would take no file of the call's own.
    await chmod(folder, 0o700);
    return { folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function assertOnlyAdminWrites(folder: string): Promise<void> {
  const { uid, mode } = await stat(folder);
  const ours = process.getuid?.() ?? uid;
  if ((uid !== ours && uid !== 0) || (mode & othersMayWrite) !== 0) {
    throw new AppError(
      "unavailable",
      `${folder} is the HOME of calls outside the sandbox, and others may write to it, so this call did not run. Ask an admin to give it to Handrail's user or to root, with the mode 700.`,
    );
  }
}

async function assertSmall(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  let bytes = 0;
  for (const name of names.slice(0, maxFiles)) bytes += (await stat(path.join(folder, name)).catch(() => null))?.size ?? 0;
  if (names.length > maxFiles || bytes > maxBytes) {
    throw new AppError(
      "unavailable",
      `${folder} is copied for each call outside the sandbox and holds more than ${maxFiles} files or ${maxBytes / 1_048_576} MB, so this call did not run. Ask an admin to keep only settings there.`,
    );
  }
}
