import "server-only";
import { readFile, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { isWithin, ownPaths } from "@/server/capabilities/sandbox/protected-paths";

/** Files whose folder is a program's package or project. */
const packageFiles = ["package.json", "pyproject.toml", "setup.py", "requirements.txt", "deno.json", "go.mod", "Cargo.toml"];
/** Files whose folder is a workspace of several packages, which share dependencies. */
const workspaceFiles = ["pnpm-workspace.yaml", "lerna.json", "uv.lock", "pnpm-lock.yaml", "yarn.lock", "package-lock.json"];

/**
 * Returns the folders that a program or script needs to be read with it: its package with the dependencies, its virtual
 * environment with the interpreter, and else its siblings. A folder that is too wide, such as the user's home, is left out.
 * @param file an absolute path that exists
 */
export async function packageAround(file: string): Promise<string[]> {
  const found = new Set<string>();
  for (const place of new Set([file, await realpath(file)])) for (const folder of await foldersOf(place)) found.add(folder);
  const usable = [...found].filter((folder) => !isTooWide(folder));
  return usable.filter((folder) => !usable.some((outer) => outer !== folder && isWithin(folder, outer)));
}

async function foldersOf(file: string): Promise<string[]> {
  const above = foldersAbove(file).filter((folder) => !isTooWide(folder));
  // Dependencies of an installed package lie beside it, in the outermost node_modules.
  const installed = above.filter((folder) => path.basename(folder) === "node_modules").at(-1);
  if (installed) return [installed];
  const environment = await findFolder(above, ["pyvenv.cfg"]);
  const nearest = await findFolder(above, packageFiles);
  const own = nearest ? [nearest, ...(await sharedWith(nearest))] : environment ? [] : [path.dirname(file)];
  return [...own, ...(environment ? [environment, ...(await interpreterOf(environment))] : [])];
}

/** Returns the workspace around a package, or the folders of dependencies that it shares with others. */
async function sharedWith(folder: string): Promise<string[]> {
  const above = foldersAbove(folder).filter((outer) => !isTooWide(outer));
  const workspace = await findFolder(above, workspaceFiles);
  if (workspace) return [workspace];
  const declared = await findAsync(above, async (outer) => (await readOr(path.join(outer, "package.json"))).includes('"workspaces"'));
  if (declared) return [declared];
  const shared = above.map((outer) => path.join(outer, "node_modules"));
  const present = await Promise.all(shared.map(exists));
  return shared.filter((_folder, index) => present[index]);
}

/** Returns the installation of a virtual environment's interpreter, which its settings name by the folder of programs. */
async function interpreterOf(environment: string): Promise<string[]> {
  const [, home] = /^home\s*=\s*(.+)$/m.exec(await readOr(path.join(environment, "pyvenv.cfg"))) ?? [];
  if (!home || !path.isAbsolute(home.trim())) return [];
  const programs = await realpath(home.trim()).catch(() => home.trim());
  return [...new Set([path.dirname(home.trim()), path.dirname(programs)])];
}

/** Whether a folder holds much more than a program: a home, the machine's top folders, or a folder of Handrail. */
export function isTooWide(folder: string): boolean {
  const home = homedir();
  const isTop = folder.split("/").filter(Boolean).length < 2;
  return isTop || isWithin(home, folder) || ownPaths().some((own) => isWithin(own, folder) || isWithin(folder, own));
}

/** Returns the folders around a path, innermost first, without the root. */
function foldersAbove(file: string): string[] {
  const folders: string[] = [];
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) folders.push(folder);
  return folders;
}

async function findFolder(folders: readonly string[], files: readonly string[]): Promise<string | null> {
  return findAsync(folders, async (folder) => (await Promise.all(files.map((file) => exists(path.join(folder, file))))).includes(true));
}

async function findAsync(folders: readonly string[], test: (folder: string) => Promise<boolean>): Promise<string | null> {
  for (const folder of folders) if (await test(folder)) return folder;
  return null;
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

const readOr = (file: string): Promise<string> => readFile(file, "utf8").catch(() => "");
