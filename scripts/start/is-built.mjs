import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { hashSources } from "./source-hash.mjs";

/** Says of which sources `dist` and `.next` were built; written last, so that a broken build never has one. */
export const stampFile = (root) => path.join(root, "dist/build.json");
export const serverFolder = (root) => path.join(root, "dist/server");
const buildIdFile = (root) => path.join(root, ".next/BUILD_ID");

/** @param {string} root */
export const buildId = (root) => readFileSync(buildIdFile(root), "utf8");

/**
 * @param {string} root
 * @param {string} hash of the sources
 */
export function isBuilt(root, hash = hashSources(root).hash) {
  try {
    const stamp = JSON.parse(readFileSync(stampFile(root), "utf8"));
    return stamp.sources === hash && stamp.buildId === buildId(root) && existsSync(path.join(serverFolder(root), "main.mjs"));
  } catch {
    return false;
  }
}
