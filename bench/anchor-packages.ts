import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";

const folder = path.resolve(import.meta.dirname, "../node_modules/.cache/handrail-bench");
const packages = { "mcp-hub": "4.2.1", "mcp-proxy": "6.7.19" };

/**
 * Installs what we are measured against into a folder of its own, once. They are no dependencies of ours, and none of
 * their install scripts are run.
 * @returns that folder's `node_modules`
 * @throws Error when npm cannot get them
 */
export async function anchorPackages(): Promise<string> {
  const installed = path.join(folder, "node_modules");
  if (Object.keys(packages).every((name) => existsSync(path.join(installed, name, "package.json")))) return installed;
  await mkdir(folder, { recursive: true });
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  console.error(`Installing ${wanted.join(" and ")} to measure against ...`);
  const { status, stderr } = spawnSync("npm", ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", ...wanted], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm could not install ${wanted.join(" and ")}: ${stderr.slice(-500)}`);
  return installed;
}
