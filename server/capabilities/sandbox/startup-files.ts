import "server-only";
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, readlink, realpath, rename, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { processWide } from "@/server/platform/process-wide";
import { OpenFolder } from "../workspace-path";
import { splitGitSettings } from "./git-settings";
import { isGitSettings, runsNothing } from "./harmless-startup";
import { type Classify, type FolderInspection, inspectFolder } from "./inspect-folder";

const maxApproved = 1_000;

/** The state of one place: nothing there, a link with its text, or something else. */
type State = { kind: "nothing" } | { kind: "link"; text: string } | { kind: "file" };

/** Files of a folder that run by themselves, as before a command: paths relative to the folder, and the links among them. */
export type StartupFiles = { startup: ReadonlySet<string>; links: ReadonlyMap<string, State> };

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
 * Notes what runs by itself in a folder before a command begins. A mount protects only a file that exists, so `setAsideNew`
 * deals with the others when the command has ended.
 */
export async function noteStartupFiles(
  root: string,
  { startup, namingLinks }: Pick<FolderInspection, "startup" | "namingLinks">,
): Promise<StartupFiles> {
  const states = await Promise.all(namingLinks.map(async (place) => [place, await stateOf(path.join(root, place))] as const));
  return { startup: new Set(startup), links: new Map(states) };
}

type Afterwards = {
  /** Absolute paths that the command had an opening for. */
  mayWrite: readonly string[];
  /** The same function as before the command. */
  classify: Classify;
};

/**
 * Sets aside what a command created that runs by itself, at any depth, and restores links to such files that it replaced.
 * The new file keeps its content under another name, which no program looks for. Of settings of git, the part that runs
 * nothing stays.
 */
export async function setAsideNew(root: string, before: StartupFiles, { mayWrite, classify }: Afterwards): Promise<HeldFile[]> {
  const held: HeldFile[] = [];
  const isAllowed = (file: string) => approved().has(file) || mayWrite.some((opened) => file === opened || file.startsWith(`${opened}/`));
  const hold = async (place: string, was: State, rest = ""): Promise<boolean> => {
    const file = path.join(root, place);
    const now = isAllowed(file) ? null : await setAside(file, was, rest);
    if (now !== null) held.push({ path: place, now: path.join(path.dirname(place), now) });
    return now !== null;
  };
  for (const [place, was] of before.links) {
    const is = await stateOf(path.join(root, place));
    if (is.kind === "nothing" || (is.kind === "link" && was.kind === "link" && is.text === was.text)) continue;
    await hold(place, was);
  }
  const { startup } = await inspectFolder(root, classify);
  for (const place of startup) {
    if (before.startup.has(place) || before.links.has(place)) continue;
    await holdNew(root, place, (one, rest) => hold(one, { kind: "nothing" }, rest));
  }
  return held;
}

/** Holds a new file back, or of a folder of hooks each hook, or of settings the part that runs. */
async function holdNew(root: string, place: string, hold: (place: string, rest?: string) => Promise<boolean>): Promise<void> {
  const file = path.join(root, place);
  const stats = await lstat(file).catch(() => null);
  if (!stats) return;
  if (stats.isDirectory() && /(?:^|\/)\.git\/(?:.*\/)?hooks$/.test(place)) {
    // `git init` copies samples, which git does not run.
    const hooks = (await readdir(file).catch(() => [])).filter((name) => !name.endsWith(".sample") && !heldName.test(name));
    for (const name of hooks) await hold(`${place}/${name}`);
    return;
  }
  if (!stats.isFile() || stats.size > maxReadBytes) {
    await hold(place);
    return;
  }
  const text = await readWithin(root, file);
  if (text !== null && (runsNothing(place, text) || (path.basename(place) === ".git" && (await pointsIntoGit(root, file, text))))) return;
  // The repository would not work without its settings, and these run nothing.
  await hold(place, text !== null && isGitSettings(place) ? splitGitSettings(text).kept : "");
}

const maxReadBytes = 1_048_576;
const heldName = /\.held-[0-9a-f]{8}$/;

/** Reads a file by its real path, because a program may put a link in its way; null for a file elsewhere. */
async function readWithin(root: string, file: string): Promise<string | null> {
  if ((await realpath(path.dirname(file)).catch(() => "")) !== path.dirname(file) || !file.startsWith(`${root}/`)) return null;
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null);
  try {
    return handle ? await handle.readFile("utf8") : null;
  } catch {
    return null;
  } finally {
    await handle?.close();
  }
}

/** Returns whether a file called `.git` leads to a worktree or submodule of a repository in the folder. */
async function pointsIntoGit(root: string, file: string, text: string): Promise<boolean> {
  const [, written] = /^gitdir: (.+?)\s*$/.exec(text) ?? [];
  if (written === undefined) return false;
  const target = await realpath(path.resolve(path.dirname(file), written)).catch(() => null);
  return target?.startsWith(`${root}/`) === true && /\/\.git\/(?:worktrees|modules)\/[^/]+/.test(target);
}

/**
 * Renames a new file, and restores the link that it replaced. The folder is held open, because a program may replace it by a link to
 * a folder of somebody else.
 * @returns the new name; null when the file went away
 */
async function setAside(file: string, was: State, rest: string): Promise<string | null> {
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
    else if (rest.trim() !== "") await writeFile(folder.at(name), rest, { flag: "wx" }).catch(() => {});
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
