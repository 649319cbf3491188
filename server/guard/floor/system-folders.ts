import { followedPath, maxPathChars } from "../paths/followed-path";
import { globFits, withoutBrackets } from "../paths/glob";
import { unknownPiece } from "../script/words";
import { homeFolder } from "./floor-command";

/** Folders that the machine needs, or in which people keep everything; `*` stands for any name. */
const systemFolders = [
  ...["bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "libx32", "media", "mnt", "opt", "proc", "root", "run"],
  ...["sbin", "srv", "sys", "usr", "var", "Applications", "Library", "System", "Users", "Volumes", "private"],
  ...["bin", "include", "lib", "lib32", "lib64", "libexec", "local", "sbin", "share", "src"].map((name) => `usr/${name}`),
  ...["lib", "log", "mail", "spool"].map((name) => `var/${name}`),
  ...["private/etc", "private/var", "home/*", "Users/*"],
].map((folder) => folder.split("/"));

const unknownStart = new RegExp(`^/[${unknownPiece}/]*`);

/** `{a..z}` becomes one of many texts, each one character or longer. */
const braceRange = /\{[\w-]{1,9}\.\.[\w-]{1,9}(?:\.\.[\w-]{1,9})?\}/g;

/** This many `..` are assumed to reach the root, wherever the conversation's folder lies. */
const levelsToRoot = 4;

/**
 * Names the root, home or system folder that a path is, or whose whole content the path means ("/etc/*"); null for
 * every other path. The path has no quotes and is relative to `folder`.
 * @param home absolute path of another home folder than those in /home, /Users and /root
 */
export function findSystemFolder(written: string, folder: string, home?: string): string | null {
  if (written.length > maxPathChars) return null;
  // Unset variables are empty, so "/$EMPTY" is the root. Elsewhere an unknown piece counts as a name.
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
  if (!found) return home !== undefined && holds(inside, home) ? "a home folder" : null;
  return found[1] === "*" ? "a home folder" : `the system folder /${found.join("/")}`;
}

/** Recognises a last segment that means everything in a folder: `*`, `.*`, `.[!.]*`, `*.*`. */
function isAnything(segment: string): boolean {
  return segment.includes("*") && /^[.*?[\]!^]+$/.test(segment);
}

/** Returns whether a folder is the home folder or a folder above it. */
function holds(folder: readonly string[], home: string): boolean {
  const names = home.split("/").filter((name) => name !== "");
  return folder.length <= names.length && folder.every((segment, at) => fits(segment, String(names[at])));
}

function fits(written: string, known: string): boolean {
  // A bracket counts as any character. The guess only matters for paths that resemble a system folder.
  return known === "*" || globFits(withoutBrackets(written), known);
}
