import { spawnSync } from "node:child_process";
import path from "node:path";
import { npm } from "./install.mjs";

const neededMajor = 24;

/**
 * The Node that everything else runs on, from the package `node`.
 *
 * @param {string} root
 * @returns {Promise<string | null>} path of a program that was seen running; null after saying why there is none
 */
export async function pinnedNode(root) {
  const pinned = path.join(root, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");
  if (runs(pinned)) return pinned;
  // npm can be told not to run install scripts, and this one's brings the program.
  const { output } = await npm(root, ["rebuild", "node", "--ignore-scripts=false", "--foreground-scripts"]);
  if (runs(pinned)) return pinned;
  // There are systems that it is not built for; a new enough one of the machine does as well.
  if (Number(process.versions.node.split(".")[0]) >= neededMajor) return process.execPath;
  console.error(output.trimEnd());
  console.error(
    `Handrail cannot start: the package "node" did not bring a Node ${neededMajor} that runs here (see above). Install Node ${neededMajor} yourself and start again.`,
  );
  return null;
}

function runs(node) {
  const { status, stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return status === 0 && Number(/^v(\d+)/.exec(stdout)?.[1]) >= neededMajor;
}
