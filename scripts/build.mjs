// Builds what `npm start` runs: `.next` and `dist/server`; with --dev only `dist/dev-server`. Runs on the pinned Node.
import { spawn } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { build } from "esbuild";
import { buildId, isBuilt, serverFolder, stampFile } from "./start/is-built.mjs";
import { showProgress } from "./start/show-progress.mjs";
import { hashSources } from "./start/source-hash.mjs";

const root = path.resolve(import.meta.dirname, "..");
const isDev = process.argv.includes("--dev");
const dist = path.join(root, "dist");

/** Node parses the whole package.json again for each file that it loads, and these have hundreds of files or a long one. */
const bundledPackages = /^(drizzle-orm|zod)(\/|$)/;

class BuildFailed extends Error {}

// Next builds with helpers of its own, which only a signal to the whole group reaches.
process.once("disconnect", () => process.kill(-process.pid, "SIGTERM"));

try {
  mkdirSync(dist, { recursive: true });
  if (isDev) await bundleServer(path.join(dist, "dev-server"));
  else await buildOnce();
} catch (error) {
  // The file system's errors have a code and a sentence of their own; anything else is a mistake in this file.
  if (!(error instanceof BuildFailed) && !error.code) throw error;
  console.error(error.message.trimEnd());
  console.error("Handrail cannot start: it could not be built (see above). Correct what is said there and start again.");
  process.exit(1);
}
process.exit(0);

/** Two starts at once build one after the other, and the second then finds the work done. */
async function buildOnce() {
  const lock = new DatabaseSync(path.join(dist, "build.lock"), { timeout: 0 });
  if (!tryLock(lock)) {
    console.log("Another start is building; waiting for it ...");
    while (!tryLock(lock)) await new Promise((resolve) => setTimeout(resolve, 250));
  }
  // Taken before building: what is edited meanwhile makes the next start build again.
  const { hash, fileCount } = hashSources(root);
  if (isBuilt(root, hash)) return;

  console.log(`Building ${fileCount} source files (new or changed since the last build); this takes half a minute or more ...`);
  const end = showProgress("building");
  rmSync(stampFile(root), { force: true });
  await Promise.all([bundleServer(serverFolder(root)), buildNext()]);
  writeFileSync(stampFile(root), JSON.stringify({ sources: hash, buildId: buildId(root), builtAt: new Date().toISOString() }));
  console.log(`Built in ${end()} s`);
}

function tryLock(lock) {
  try {
    lock.exec("begin exclusive");
    return true;
  } catch (error) {
    if (error.errcode === 5) return false;
    throw error;
  }
}

/** In pieces, so that what is only imported later is only loaded later. */
async function bundleServer(folder) {
  const unfinished = `${folder}-unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  try {
    await build({
      entryPoints: [path.join(root, "server/main.ts")],
      outdir: unfinished,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true,
      platform: "node",
      target: "node24",
      format: "esm",
      // Next replaces this package when it builds; in plain Node it does nothing but throw.
      plugins: [
        { name: "server-only", setup: (plan) => emptyModule(plan, /^server-only$/) },
        { name: "packages", setup: leavePackages },
      ],
      tsconfig: path.join(root, "tsconfig.json"),
      sourcemap: true,
      sourcesContent: false,
      logLevel: "silent",
    });
  } catch (error) {
    const sentences = (error.errors ?? []).map(({ text, location }) => `${location ? `${location.file}:${location.line}: ` : ""}${text}`);
    throw new BuildFailed(sentences.join("\n") || error.message);
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
}

function emptyModule(plan, filter) {
  plan.onResolve({ filter }, ({ path: name }) => ({ path: name, namespace: "empty" }));
  plan.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "" }));
}

/** Packages stay in node_modules, where Next's bundles find the same ones; but for those that are slow to load in pieces. */
function leavePackages(plan) {
  plan.onResolve({ filter: /^(@[\w-]|[\w-])/ }, ({ path: name, kind }) =>
    kind === "entry-point" || bundledPackages.test(name) ? undefined : { path: name, external: true },
  );
}

async function buildNext() {
  const child = spawn(process.execPath, [path.join(root, "node_modules/next/dist/bin/next"), "build"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.on("close", resolve).on("error", () => resolve(1)));
  if (code !== 0) throw new BuildFailed(output);
}
