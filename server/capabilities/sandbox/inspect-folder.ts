import "server-only";
import { readlink, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { type Classify, type FileKind, type FolderListing, isSensitiveKind, listFolder } from "./folder-listings";

export { type Classify, type FileKind, isSensitiveKind } from "./folder-listings";

export type FolderInspection = {
  /** Paths relative to the folder; a folder stands for its whole content. Folders that we may not read count as sensitive. */
  sensitive: string[];
  runsByItself: string[];
  /** Files that run by themselves, sensitive or not, with the links that give such a name. */
  startup: string[];
  /** Links whose target is outside the folder. */
  linksOut: string[];
  /** All links, and folders that were not inspected: paths below them may lead elsewhere than their names say. */
  unfollowed: string[];
  /** Links that give their target a kind, or the files behind it: whoever replaces the link replaces what runs. */
  namingLinks: string[];
  /** The `.git` folders of repositories. */
  gitFolders: string[];
  /** Says why some file may have been missed, as a sentence; null when every entry was inspected. */
  gap: string | null;
};

/** A folder on the way: its path, and the path by which a link names it. */
type Visited = { at: string; named: string; isBehindLink: boolean };

type Walk = { root: string; realRoot: string; classify: Classify; found: FolderInspection; next: Visited[] };

const defaultMaxEntries = 1_000_000;
/** Folders that are listed side by side. */
const parallel = 32;
/** Folders below HOME in which package managers unpack what they downloaded. */
const packageCaches =
  /(^|\/)(\.cargo\/(registry|git)|go\/pkg|\.m2\/repository|\.gradle\/(caches|wrapper)|\.local\/share\/(pnpm|uv|virtualenv)|\.bun\/install|\.yarn\/berry|\.nuget\/packages|\.gem|\.composer)$/;
/** Folders with many files that nobody names: packages, and the internal files of git and package managers. */
const skipped: readonly RegExp[] = [
  /(^|\/)node_modules$/,
  /(^|\/)\.git\/(objects|lfs|refs|logs)$/,
  /(^|\/)\.(npm|cache|venv|rustup|nvm|pyenv)$/,
  packageCaches,
];

/**
 * Searches a folder for files that a command may not read or change. Goes level by level, so that the top files are known
 * even when the folder is too large for a full inspection. A link with a kind gives the kind to its target; a folder
 * that a link calls `.git` or the like is also inspected under that name. Further links are noted and not followed.
 * @param classify receives the path, relative to `root`, of every file and folder; a folder with a kind is not entered.
 * The same function must be passed each time, because listings are cached for it.
 */
export async function inspectFolder(
  root: string,
  classify: Classify,
  { maxEntries = defaultMaxEntries }: { maxEntries?: number } = {},
): Promise<FolderInspection> {
  const lists = { sensitive: [], runsByItself: [], startup: [], linksOut: [], unfollowed: [], namingLinks: [], gitFolders: [] };
  const found: FolderInspection = { ...lists, gap: null };
  const walk: Walk = { root, realRoot: await realpath(root).catch(() => root), classify, found, next: [] };
  let entries = 0;
  for (let level: Visited[] = [{ at: "", named: "", isBehindLink: false }]; level.length > 0; level = walk.next) {
    walk.next = [];
    for (let first = 0; first < level.length; first += parallel) {
      const visited = level.slice(first, first + parallel);
      const listings = await Promise.all(visited.map(({ at, named }) => listFolder(path.join(root, at), named, classify)));
      for (const [index, listing] of listings.entries()) {
        const folder = visited[index] as Visited;
        if (listing === "gone") continue;
        // A command could open a folder that is closed to us, because the same user owns it. So it is covered.
        if (listing === "closed") {
          found.sensitive.push(folder.at);
          continue;
        }
        entries += listing.entries;
        if (entries > maxEntries) return unique({ ...found, gap: tooMany(maxEntries) });
        await note(folder, listing, walk);
      }
    }
  }
  return unique(found);
}

const tooMany = (maxEntries: number) =>
  `The folder holds more than ${maxEntries.toLocaleString("en")} files, too many to find every sensitive file and every file that runs by itself. Name a smaller folder to the agent, or remove files.`;

async function note({ at, named, isBehindLink }: Visited, listing: FolderListing, walk: Walk): Promise<void> {
  const { found, next } = walk;
  if (listing.isGitFolder) found.gitFolders.push(at);
  for (const { name, kind } of listing.kinds) protect(below(at, name), kind, found);
  for (const name of listing.folders) {
    const folder = { at: below(at, name), named: below(named, name), isBehindLink };
    if (skipped.some((pattern) => pattern.test(folder.at) || pattern.test(folder.named))) found.unfollowed.push(folder.at);
    else next.push(folder);
  }
  for (const { name, kind } of listing.links) {
    const link = below(at, name);
    found.unfollowed.push(link);
    const target = await targetOf(link, walk);
    // A file that is called `.git` says where the repository lies.
    const isPointer = name === ".git" && target?.isFolder === false;
    const isNaming = kind !== null || isPointer || namesContent(below(named, name), walk.classify);
    if (isNaming && kind !== "sensitive") found.namingLinks.push(link);
    if (isPointer || (kind !== null && kind !== "sensitive")) found.startup.push(link);
    if (target === null) found.linksOut.push(link);
    else if (kind || isPointer) protectTarget(link, target, kind ?? "runs_by_itself", found);
    else if (isNaming && target.isFolder && !isBehindLink) next.push({ at: target.path, named: below(named, name), isBehindLink: true });
  }
}

type LinkTarget = { path: string; isFolder: boolean; exists: boolean };

/** Returns whether the name of a folder decides the kind of files in it: `.git` and other dot folders, `secrets`. */
const namesContent = (folder: string, classify: Classify) =>
  path.basename(folder).startsWith(".") || classify(below(folder, "file")) !== null;

function protect(file: string, kind: Exclude<FileKind, null>, found: FolderInspection): void {
  (isSensitiveKind(kind) ? found.sensitive : found.runsByItself).push(file);
  if (kind !== "sensitive") found.startup.push(file);
}

function protectTarget(link: string, { path: target, exists }: LinkTarget, kind: Exclude<FileKind, null>, found: FolderInspection) {
  // The target is protected where it is; a program that looks for the link's name finds it by the link.
  if (target !== "" && exists) (isSensitiveKind(kind) ? found.sensitive : found.runsByItself).push(target);
  else {
    const where = exists ? "the whole folder" : `${target}, which does not exist yet`;
    found.gap ??= `The link ${link} leads to ${where}, so the sandbox cannot protect its target. Remove the link, or give it another target.`;
  }
}

/** Returns the target of a link, relative to the folder; null when it is outside. */
async function targetOf(link: string, { root, realRoot }: Walk): Promise<LinkTarget | null> {
  const file = path.join(root, link);
  const real = await realpath(file).catch(() => null);
  // A dangling link may get a target later, so its own text is resolved.
  const target = real ?? path.resolve(path.dirname(file), await readlink(file).catch(() => "."));
  const folder = [realRoot, root].find((one) => target === one || target.startsWith(`${one}/`));
  if (folder === undefined) return null;
  const isFolder = real !== null && ((await stat(real).catch(() => null))?.isDirectory() ?? false);
  return { path: target.slice(folder.length + 1), isFolder, exists: real !== null };
}

const below = (folder: string, name: string) => (folder === "" ? name : `${folder}/${name}`);

/** A folder that a link names, too, is visited twice. */
function unique(found: FolderInspection): FolderInspection {
  const { sensitive, runsByItself, startup, linksOut, unfollowed, namingLinks, gitFolders, gap } = found;
  const once = (files: string[]) => [...new Set(files)];
  return {
    sensitive: once(sensitive),
    runsByItself: once(runsByItself),
    startup: once(startup),
    linksOut: once(linksOut),
    unfollowed: once(unfollowed),
    namingLinks: once(namingLinks),
    gitFolders: once(gitFolders),
    gap,
  };
}
