import "server-only";
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readlink, realpath, rename, symlink } from "node:fs/promises";
import path from "node:path";
import { processWide } from "@/server/platform/process-wide";
import { OpenFolder } from "../workspace-path";
import type { FolderInspection } from "./inspect-folder";

/** Startup files at the top of the folder. The folder is HOME, so commands outside of the sandbox run them, too. */
const ofHome = [
  ...[".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout"],
  ...[".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".logout", ".inputrc", ".envrc", ".direnvrc"],
  ...[".gitconfig", ".config/git/config", ".config/fish/config.fish"],
];
/** Files of `.git` that redirect git to other settings and hooks. Hooks themselves lie in a folder that is read-only. */
const ofGitFolder = ["config", "config.worktree", "commondir"];
const maxApproved = 1_000;

/** The state of one place: nothing there, a link with its text, or something else. */
type State = { kind: "nothing" } | { kind: "link"; text: string } | { kind: "file" };

/** The startup files of a folder at one moment, by path relative to the folder. */
export type StartupFiles = ReadonlyMap<string, State>;

/** A file that was set aside; both paths are relative to the folder. */
export type HeldFile = { path: string; now: string };

/** Files that calls may create while other commands run, because a person or a rule allowed it. */
const approved = (): Set<string> => processWide("approvedStartupFiles", () => new Set<string>());

/** Notes that a call may create files, so that the end of another command does not set them aside. */
export function approveStartupFiles(files: readonly string[]): void {
  const noted = approved();
  for (const file of files) {
    if (noted.size >= maxApproved) noted.clear();
    noted.add(file);
  }
}

/**
 * Notes the startup files of a folder before a command begins. A mount protects only a file that exists, so
 * `setAsideNew` deals with the others when the command has ended.
 */
export async function noteStartupFiles(
  root: string,
  { gitFolders, namingLinks }: Pick<FolderInspection, "gitFolders" | "namingLinks">,
): Promise<StartupFiles> {
  const places = [...ofHome, ...gitFolders.flatMap((folder) => ofGitFolder.map((name) => `${folder}/${name}`)), ...namingLinks];
  const states = await Promise.all(places.map(async (place) => [place, await stateOf(path.join(root, place))] as const));
  return new Map(states);
}

/**
 * Sets aside startup files that a command created, and restores links to such files that it replaced. The new file keeps its content
 * under another name, which no program looks for.
 * @param mayWrite absolute paths that the command had an opening for
 */
export async function setAsideNew(root: string, before: StartupFiles, mayWrite: readonly string[]): Promise<HeldFile[]> {
  const held: HeldFile[] = [];
  for (const [place, was] of before) {
    const file = path.join(root, place);
    if (was.kind === "file") continue;
    const is = await stateOf(file);
    if (is.kind === "nothing" || (is.kind === "link" && was.kind === "link" && is.text === was.text)) continue;
    if (approved().has(file) || mayWrite.some((opened) => file === opened || file.startsWith(`${opened}/`))) continue;
    const now = await setAside(file, was);
    if (now !== null) held.push({ path: place, now: path.join(path.dirname(place), now) });
  }
  return held;
}

/**
 * Renames a new file, and restores the link that it replaced. The folder is held open, because a program may replace it by a link to
 * a folder of somebody else.
 * @returns the new name; null when the file went away
 */
async function setAside(file: string, was: State): Promise<string | null> {
  const parent = path.dirname(file);
  const handle = await open(parent, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(() => null);
  if (!handle) return null;
  const folder = new OpenFolder(handle, parent);
  try {
    if ((await realpath(folder.at("."))) !== parent) return null;
    const name = path.basename(file);
    const now = `${name}.held-${randomUUID().slice(0, 8)}`;
    await rename(folder.at(name), folder.at(now));
    if (was.kind === "link") await symlink(was.text, folder.at(name)).catch(() => {});
    return now;
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

async function stateOf(file: string): Promise<State> {
  const stats = await lstat(file).catch(() => null);
  if (!stats) return { kind: "nothing" };
  return stats.isSymbolicLink() ? { kind: "link", text: await readlink(file).catch(() => "") } : { kind: "file" };
}
