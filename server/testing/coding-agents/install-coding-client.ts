import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A coding agent on npm, in the version that was tried. Cursor has no program there. */
export type CodingClientPackage = {
  name: string;
  version: string;
  /** Name of its program. */
  bin: string;
  /** The script of the package that finishes an installation. */
  finish?: string;
};

/** Clients stay here for the next run, outside of the repository. */
const cache = process.env.HANDRAIL_CODING_CLIS ?? path.join(tmpdir(), "handrail-coding-clis");

const folderOf = ({ name, version }: CodingClientPackage) => path.join(cache, `${name}@${version}`.replaceAll("/", "+"));

export const programOf = (client: CodingClientPackage): string => path.join(folderOf(client), "node_modules/.bin", client.bin);

/**
 * Installs a client from npm, unless it is there.
 * @returns null, or why the client is not there
 */
export async function installCodingClient(client: CodingClientPackage): Promise<string | null> {
  if (existsSync(programOf(client))) return null;
  const { name, version, finish } = client;
  mkdirSync(cache, { recursive: true });
  // A folder of its own until it is whole: two runs may install at once.
  const folder = mkdtempSync(path.join(cache, "installing-"));
  try {
    writeFileSync(path.join(folder, "package.json"), '{"private":true}');
    const args = ["install", "--no-audit", "--no-fund", "--fetch-retries=1", `${name}@${version}`];
    const problem =
      (await run("npm", args, folder)) ?? (finish ? await run(process.execPath, [finish], path.join(folder, "node_modules", name)) : null);
    if (problem !== null) return `${name}@${version} could not be installed from npm, so its tests did not run: ${problem}`;
    if (!existsSync(programOf(client))) renameSync(folder, folderOf(client));
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Time that a download may take. */
const maxMs = 140_000;

/** Runs a program to its end. @returns null, or the end of what it wrote when it failed */
function run(program: string, args: readonly string[], cwd: string): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "ignore", "pipe"], timeout: maxMs });
    let said = "";
    child.stderr.on("data", (piece) => (said += piece));
    child.on("error", ({ message }) => resolve(message));
    child.on("close", (code, signal) => {
      if (code === 0) resolve(null);
      else resolve(signal === null ? said.trim().slice(-500) || `exit code ${code}` : `it took longer than ${maxMs / 1_000} s`);
    });
  });
}
