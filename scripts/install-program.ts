import { constants, copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";

let folder: string | null = null;

/** A folder for as long as this process lives. */
function installFolder(): string {
  if (folder) return folder;
  const made = mkdtempSync(path.join(tmpdir(), "handrail-installed-"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  folder = made;
  return made;
}

/** Node at a path outside of the checkout, for MCP servers of tests: the sandbox hides the checkout and its packages. */
export function installedNode(): string {
  const node = path.join(installFolder(), "node");
  if (!existsSync(node)) copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE);
  return node;
}

/** Makes one file of a program and its packages, outside of the checkout, as an admin would install it. Answers its path. */
export async function installProgram(name: string, entry: string): Promise<string> {
  const outfile = path.join(installFolder(), `${name}.mjs`);
  if (existsSync(outfile)) return outfile;
  const banner = { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' };
  await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", banner, logLevel: "error" });
  return outfile;
}

/** The official filesystem server. */
export function installFilesystemServer(): Promise<string> {
  const modules = path.resolve(import.meta.dirname, "../node_modules/@modelcontextprotocol");
  return installProgram("filesystem", `${modules}/server-filesystem/dist/index.js`);
}
