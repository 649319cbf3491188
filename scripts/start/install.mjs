import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { showProgress } from "./show-progress.mjs";
import { endGroup, interrupted, isStopRequested, onStopRequest } from "./stop-requests.mjs";

/**
 * Says in a few words why packages must be installed, or null when everything is there. What stands in package-lock.json
 * is compared with what npm noted at its last complete installation, so that neither an interrupted one nor a change of
 * branch goes unnoticed.
 *
 * @param {string} root
 * @param {{ withDev: boolean }} options whether packages for working on Handrail must be there too
 * @returns {string | null}
 */
export function missingPackages(root, { withDev }) {
  const installed = packagesIn(path.join(root, "node_modules/.package-lock.json"));
  if (!installed) return "first start";
  const wanted = packagesIn(path.join(root, "package-lock.json"));
  if (!wanted) return null;
  for (const [place, { version, integrity, optional, peer, dev, devOptional, link }] of Object.entries(wanted)) {
    if (place === "" || link) continue;
    const present = installed[place];
    const mayBeAbsent = optional || peer || devOptional || (dev && !withDev);
    if (!present && mayBeAbsent) continue;
    if (!present) return `${nameOf(place)} is missing`;
    // Packages for machines unlike the one that wrote the lock file stand in it without their hash.
    if (present.version !== version || (integrity && present.integrity !== integrity)) return `${nameOf(place)} has changed`;
  }
  return null;
}

/**
 * Whether somebody works on Handrail in this checkout, so that packages for that are kept.
 *
 * @param {string} root
 */
export function hasDevPackages(root) {
  return Object.values(packagesIn(path.join(root, "node_modules/.package-lock.json")) ?? {}).some(({ dev }) => dev);
}

const nameOf = (place) => place.replace(/^.*node_modules\//, "");

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return null;
  }
}

/**
 * @param {string} root
 * @param {string} why
 * @param {{ withDev: boolean }} options packages for working on Handrail are two thirds of all, and a start needs none of them
 * @returns {Promise<number>} exit code
 */
export async function installPackages(root, why, { withDev }) {
  console.log(`Installing packages (${why}); this takes half a minute or more ...`);
  const end = showProgress("installing");
  const kinds = withDev ? "--include=dev" : "--omit=dev";
  const { code, output } = await npm(root, ["ci", kinds, "--ignore-scripts=false", "--no-audit", "--no-fund"]);
  const seconds = end();
  if (code === 0) {
    console.log(`Packages installed in ${seconds} s`);
    return 0;
  }
  if (isStopRequested()) return interrupted;
  console.error(output.trimEnd());
  console.error("Handrail cannot start: npm could not install its packages (see above). Check the network and the disk, then start again.");
  return 1;
}

/**
 * Runs npm on the Node that the machine has: the pinned one is in the folder that npm is about to replace.
 *
 * @param {string} root
 * @param {string[]} args
 * @returns {Promise<{ code: number, output: string }>}
 */
export function npm(root, args) {
  const isOurs = (folder) => /[\\/]node_modules[\\/]/.test(`${folder}/`);
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => !isOurs(folder));
  const isWindows = process.platform === "win32";
  const { NODE_ENV: _, ...environment } = process.env;
  const child = spawn("npm", args, {
    cwd: root,
    env: { ...environment, PATH: folders.join(path.delimiter) },
    stdio: ["ignore", "pipe", "pipe"],
    shell: isWindows,
    detached: !isWindows,
  });
  const forget = onStopRequest(() => endGroup(child.pid, "SIGTERM"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: 1, output: `npm cannot be run: ${error.message}` }));
    child.on("close", (code) => {
      forget();
      resolve({ code: code ?? 1, output });
    });
  });
}
