import "server-only";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";

/** Longest file that names a folder of git. */
const maxNameBytes = 8_192;

/**
 * Returns the files of settings by which git finds the remotes of a folder: those of the nearest repository, which a linked
 * worktree shares with another folder, and those of the user, whose home is the conversation's folder.
 * @param isOutside the command runs outside of the sandbox, which has no folder above the conversation's
 */
export async function findGitSettings(folder: string, home: string, isOutside: boolean): Promise<string[]> {
  const ofUser = [path.join(home, ".gitconfig"), path.join(home, ".config/git/config")];
  for (let at = folder; ; at = path.dirname(at)) {
    const found = await gitFolder(path.join(at, ".git"));
    if (found !== null) return [path.join(found, "config"), path.join(found, "config.worktree"), ...ofUser];
    if (path.dirname(at) === at || (at === home && !isOutside)) return ofUser;
  }
}

/** Returns the folder that holds a repository's settings, given its `.git`, which may be a file that names another folder. */
async function gitFolder(dotGit: string): Promise<string | null> {
  const stats = await stat(dotGit).catch(() => null);
  if (stats === null || stats.isDirectory()) return stats && dotGit;
  const own = await firstLine(dotGit, "gitdir: ");
  if (own === null) return null;
  const common = await firstLine(path.join(own, "commondir"), "");
  return common ?? own;
}

/** Returns the path in the first line of a file, behind a prefix and relative to the file. */
async function firstLine(file: string, prefix: string): Promise<string | null> {
  // A program may have made it a pipe, on which reading never ends.
  const stats = await stat(file).catch(() => null);
  if (!stats?.isFile() || stats.size > maxNameBytes) return null;
  const [line = ""] = (await readFile(file, "utf8").catch(() => "")).split("\n");
  return line.startsWith(prefix) && line.length > prefix.length ? path.resolve(path.dirname(file), line.slice(prefix.length)) : null;
}

/** Sections that say nothing about where remotes are. */
const otherSection = /^\s*\[(?:user|author|committer|color|advice)\]\s*$/i;
const branchSection = /^\s*\[branch "[^"\\]*"\]\s*$/i;
const branchSetting = /^\s*(?:merge|rebase|description|[\w-]+-merge-base|remote|pushremote)\s*=[^\\]*$/i;
const remoteOfBranch = /^\s*(?:remote|pushremote)\s*=\s*(.*?)\s*$/i;
const remoteSection = /^\s*\[remote "([^"\\]*)"\]/i;

/**
 * Returns the part of git's settings that can change where a remote leads. What `git push -u` writes is left out: a branch
 * follows a remote that has an address of its own. A line in an unusual form stays, so that it counts.
 */
export function remotesIn(settings: string): string {
  const sections = settings.split(/\n(?=\s*\[)/).map((section) => section.split("\n").filter((line) => line.trim() !== ""));
  const remotes = new Set(sections.map(([head = ""]) => remoteSection.exec(head)?.[1]));
  const isPlain = (line: string) => {
    const remote = remoteOfBranch.exec(line)?.[1];
    return branchSetting.test(line) && (remote === undefined || remote === "." || remotes.has(remote));
  };
  return sections
    .filter(([head = "", ...lines]) => {
      if (otherSection.test(head)) return lines.some((line) => line.endsWith("\\"));
      return !(branchSection.test(head) && lines.every(isPlain));
    })
    .flat()
    .join("\n");
}
