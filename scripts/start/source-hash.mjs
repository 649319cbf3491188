import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Where the sources of the build are; nothing else is looked at, so that a data folder in the checkout does not count. */
const folders = ["app", "components", "contracts", "db", "public", "server"];
/** Files beside them: settings of Next and TypeScript, instrumentation, the exact packages, and how a build is made. */
const files = /^(next\.config|postcss\.config|instrumentation|instrumentation-client|proxy|tsconfig|package-lock)\.(ts|mjs|cjs|js|json)$/;
const builders = ["scripts/build.mjs"];
const notBuilt = /\.(test|spec)\.tsx?$|^server\/testing\//;

/**
 * One hash over the names and contents of everything that the build is made of. Works without git.
 *
 * @param {string} root
 * @returns {{ hash: string, fileCount: number }}
 */
export function hashSources(root) {
  const beside = readdirSync(root).filter((name) => files.test(name));
  const inside = folders.flatMap((folder) => filesIn(root, folder));
  const all = [...beside, ...inside, ...builders].filter((file) => !notBuilt.test(file)).sort();
  const hash = createHash("sha256");
  for (const file of all) {
    const content = readFileSync(path.join(root, file));
    // Lengths keep a file's end from being read as the next one's beginning.
    hash.update(`${file}\0${content.byteLength}\0`).update(content);
  }
  return { hash: hash.digest("hex"), fileCount: all.length };
}

function filesIn(root, folder) {
  let entries;
  try {
    entries = readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path
        .relative(root, path.join(entry.parentPath ?? entry.path, entry.name))
        .split(path.sep)
        .join("/"),
    );
}
