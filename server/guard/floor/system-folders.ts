import { globFits, withoutBrackets } from "../matching/glob";
import { followedPath, maxPathChars } from "../shell/followed-path";
import { homeFolder, unknownValue } from "../shell/resolve-word";

/** Folders without which a machine does not work, or in which people keep everything. `*` stands for any name. */
const systemFolders = [
  ...["bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "libx32", "media", "mnt", "opt", "proc", "root", "run"],
  ...["sbin", "srv", "sys", "usr", "var", "Applications", "Library", "System", "Users", "Volumes", "private"],
  ...["bin", "include", "lib", "lib32", "lib64", "libexec", "local", "sbin", "share", "src"].map((name) => `usr/${name}`),
  ...["lib", "log", "mail", "spool"].map((name) => `var/${name}`),
  ...["private/etc", "private/var", "home/*", "Users/*"],
].map((folder) => folder.split("/"));

const unknownStart = new RegExp(`^/[${unknownValue}/]*`);

/** `{a..z}`: one of many, of one character or more. */
const braceRange = /\{[\w-]{1,9}\.\.[\w-]{1,9}(?:\.\.[\w-]{1,9})?\}/g;

/** As many `..` as these can only be meant to reach the root, wherever the workspace lies. */
const levelsToRoot = 4;

/**
 * What a path is when it is the root, a home folder or a system folder, or everything inside one ("/etc/*"); null for
 * every other path. The path has no quotes any more and is relative to `folder`.
 */
export function systemFolderOf(written: string, folder: string): string | null {
  // "/$EMPTY" is the root when the variable is not set. Elsewhere an unknown name is taken for a name.
  if (written.length > maxPathChars) return null;
  const target = written.replace(unknownStart, "/").replace(braceRange, "?");
  const full = followedPath(target, folder);
  const segments = full.split("/").filter((segment) => segment !== "");
  const levelsUp = segments.findIndex((segment) => segment !== "..");
  const ups = levelsUp < 0 ? segments.length : levelsUp;
  if (!full.startsWith("/") && ups < levelsToRoot) return null;
  const inside = segments.slice(ups);
  while (isAnything(inside.at(-1) ?? "")) inside.pop();
  if (inside.length === 0) return "the root folder";
  if (`/${inside.join("/")}` === homeFolder) return "a home folder";
  const found = systemFolders.find((known) => known.length === inside.length && known.every((name, at) => fits(String(inside[at]), name)));
  if (!found) return null;
  return found[1] === "*" ? "a home folder" : `the system folder /${found.join("/")}`;
}

/** A last part of a path that stands for everything in a folder: `*`, `.*`, `.[!.]*`, `*.*`. */
function isAnything(segment: string): boolean {
  return segment.includes("*") && /^[.*?[\]!^]+$/.test(segment);
}

function fits(written: string, known: string): boolean {
  // A bracket is taken for any character: too wide a guess only matters for a path that looks like a system folder.
  return known === "*" || globFits(withoutBrackets(written), known);
}
