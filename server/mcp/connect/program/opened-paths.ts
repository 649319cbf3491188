import "server-only";
import { constants, existsSync } from "node:fs";
import { access, lstat, mkdir, stat, symlink, unlink } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { isWithin } from "@/server/capabilities/sandbox/protected-paths";
import { AppError } from "@/server/platform/errors";
import { machinePath } from "@/server/platform/machine-path";
import { readableFault, readablePath } from "../settings/readable-fault";
import type { ServerSettings } from "../settings/server-settings";
import { isTooWide, packageAround } from "./package-around";

/** What a server's program sees of the machine in the sandbox. */
export type OpenedPaths = {
  readOnly: string[];
  writable: string[];
  /** Folders of programs for PATH, where the command stands outside the system's. */
  programs: string[];
};

/** Files that are run, by their ending; a file that may be executed is one as well. */
const code = /\.(?:[cm]?[jt]sx?|py|pyz|rb|php|pl|lua|sh|bash|jar|wasm|exe|dll|so)$/i;

/**
 * Sorts what the settings name: a folder is there to be written to, and a file only to be read, with its package when it is
 * code. A program is never writable, because it would then be poisoned where it runs without a sandbox; its working folder
 * stays writable around it.
 */
export async function openedPaths({ command, args, cwd, readablePaths = [] }: ServerSettings, own: string): Promise<OpenedPaths> {
  const found: OpenedPaths = { readOnly: [], writable: cwd ? [cwd] : [], programs: [] };
  const program = command && (await findProgram(command, cwd ?? own));
  if (program && !isSystemPath(program)) {
    found.readOnly.push(program, ...(await packageAround(program)));
    if (!command.includes("/")) found.programs.push(path.dirname(program));
  }
  const relative = cwd === null ? [] : args.filter((text) => !path.isAbsolute(text)).map((text) => path.resolve(cwd, text));
  for (const file of [...namedPaths(args), ...relative]) {
    const stats = await stat(file).catch(() => null);
    if (!stats) continue;
    const isInside = cwd !== null && isWithin(file, cwd);
    const isCode = code.test(file) || (stats.mode & 0o111) !== 0;
    if (stats.isDirectory()) {
      if (!isInside) found.writable.push(file);
    } else {
      if (isCode || !isInside) found.readOnly.push(file);
      // Inside the working folder its neighbours are there already, and writable as data is.
      if (isCode) found.readOnly.push(...(await packageAround(file)).filter((folder) => cwd === null || !isWithin(cwd, folder)));
    }
  }
  found.readOnly.push(...(await readable(readablePaths, own)));
  return found;
}

/** Finds existing files and folders among absolute paths in the settings. Naming a path gives the server access to it. */
export function namedPaths(texts: readonly string[]): string[] {
  return texts.filter((text) => path.isAbsolute(text) && !isSystemPath(text) && existsSync(text));
}

/** Finds a command as a shell does: by its path, or in the machine's PATH. @returns null when there is none */
async function findProgram(command: string, cwd: string): Promise<string | null> {
  const candidates = command.includes("/")
    ? [path.resolve(cwd, command)]
    : machinePath(process.env.PATH ?? "").map((folder) => path.join(folder, command));
  for (const file of candidates) {
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}

/** Returns what an admin lets the program read. A path that begins with `~/` is also found below the program's own HOME. */
async function readable(paths: readonly string[], own: string): Promise<string[]> {
  const files: string[] = [];
  for (const given of paths) {
    const fault = readableFault(given);
    // A row may be older than the check when it is saved, and a link may lead there since.
    if (fault) throw new AppError("invalid", `readablePaths ${fault}.`);
    const file = readablePath(given);
    if (isSystemPath(file) || !existsSync(file)) continue;
    files.push(file);
    const name = path.relative(homedir(), file);
    if (isWithin(file, homedir()) && !isTooWide(file)) await linkInHome(path.join(own, name), file);
  }
  return files;
}

/** Links a file of the machine's home into the program's. Never takes the place of a file that the program made. */
async function linkInHome(link: string, target: string): Promise<void> {
  const there = await lstat(link).catch(() => null);
  if (there && !there.isSymbolicLink()) return;
  if (there) await unlink(link);
  await mkdir(path.dirname(link), { recursive: true, mode: 0o700 });
  await symlink(target, link);
}

/** Tells whether a path is a system path, which the sandbox provides or shows already. */
export function isSystemPath(file: string): boolean {
  const normal = path.normalize(file);
  return ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/tmp", "/dev", "/proc", "/sys", "/run"].some(
    (folder) => normal === folder || (folder !== "/tmp" && normal.startsWith(`${folder}/`)),
  );
}
