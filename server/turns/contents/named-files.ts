import { readdir } from "node:fs/promises";
import path from "node:path";
import { isRebuildable } from "@/server/guard/paths/locate-path";
import type { HashedFile } from "./hash-files";

const maxListed = 5_000;

/** The files and folders of a conversation's folder by which another file may name them. */
export type FolderNames = { files: readonly string[]; folders: readonly string[]; isComplete: boolean };

/** Lists the files of a folder without those that a build or an installation makes. */
export async function listNames(root: string): Promise<FolderNames> {
  const files: string[] = [];
  const folders: string[] = [];
  for (const open = [""]; open.length > 0; ) {
    const at = open.shift() ?? "";
    for (const entry of await readdir(path.join(root, at), { withFileTypes: true }).catch(() => [])) {
      const name = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.name === ".git" || isRebuildable(name)) continue;
      if (files.length + folders.length >= maxListed) return { files, folders, isComplete: false };
      if (entry.isDirectory()) {
        folders.push(name);
        open.push(name);
      } else files.push(name);
    }
  }
  return { files, folders, isComplete: true };
}

/** Endings that a program's code is loaded by without being written: `import lib` is `lib.py`. */
const ofModule = /\.(?:py|[cm]?[jt]sx?|sh|bash|rb|pl|pm|lua|php|mk|yml|yaml)$/;
/** Data that a program reads and writes, which says nothing about what it does. */
const data = /\.(?:csv|tsv|parquet|jsonl|ndjson|md|log|png|jpe?g|gif|webp|svg|pdf|mp[34]|wav|zip|gz|tgz|tar|xlsx?|docx?|sqlite3?|db)$/i;
/** Files whose words name folders without a slash: `COPY src /app`, `build: web`. */
const namesFolders =
  /(?:^|\/)(?:[\w.-]*compose[\w.-]*\.ya?ml|(?:[\w.-]+\.)?(?:Docker|Container)file[\w.-]*|kustomization\.ya?ml|Makefile)$/i;

/**
 * Returns the files and folders that a text names by path, by name or as a module.
 * @param file the file with the text, whose own folder its relative names start from
 */
export function findNamed({ shown, text }: HashedFile, { files, folders }: FolderNames): { files: string[]; folders: string[] } {
  if (text === null) return { files: [], folders: [] };
  const folder = path.posix.dirname(shown);
  const words = new Set(text.split(/[^\w./@+-]+/).map((word) => word.replace(/[.,]+$/, (end) => (word === end ? end : ""))));
  const paths = new Set([...words].flatMap((word) => [path.posix.normalize(word), path.posix.join(folder, word)]));
  const lastNames = new Set([...words].map((word) => word.slice(word.lastIndexOf("/") + 1)));
  const modules = new Set([...words].flatMap((word) => [word, word.replaceAll(".", "/")]).map((word) => path.posix.normalize(word)));
  const isNamed = (file: string) => {
    if (file === shown || data.test(file)) return false;
    const name = path.posix.basename(file);
    if (paths.has(file) || lastNames.has(name)) return true;
    if (!ofModule.test(file)) return false;
    const module = file.replace(ofModule, "");
    return modules.has(module) || modules.has(path.posix.basename(module)) || paths.has(module);
  };
  const isOpen = namesFolders.test(shown);
  const isFolderNamed = (one: string) => {
    const isWritten = (way: string) => words.has(way) || words.has(`./${way}`) || words.has(`${way}/`) || words.has(`./${way}/`);
    const relative = path.posix.relative(folder, one);
    return [one, relative].some((way) => isWritten(way) && (isOpen || way.includes("/") || words.has(`./${way}`) || words.has(`${way}/`)));
  };
  const own = isOpen && (words.has(".") || words.has("./")) ? [folder] : [];
  return { files: files.filter(isNamed), folders: [...own, ...folders.filter(isFolderNamed)] };
}
