// Builds what `npm start` runs: `.next` and `dist/server`; with --dev only `dist/dev-server`. Runs on the pinned Node.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { build } from "esbuild";
import { buildId, isBuilt, serverFolder, stampFile } from "./start/is-built.mjs";
import { showProgress } from "./start/show-progress.mjs";
import { hashSources } from "./start/source-hash.mjs";

const root = path.resolve(import.meta.dirname, "..");
const isDev = process.argv.includes("--dev");
const dist = path.join(root, "dist");

/** Packages that come into the bundle: a start would load a thousand small files of theirs one by one. */
const bundledPackages = new Set(
  `@agentclientprotocol/sdk @ai-sdk/provider @modelcontextprotocol/client @modelcontextprotocol/server ajv aws4fetch chardet cron-parser
  drizzle-orm fflate file-type htmlparser2 iconv-lite ipaddr.js jose lru-cache marked p-retry prom-client saxes smol-toml stemmer undici
  yaml yauzl zod zod-openapi`.split(/\s+/),
);
/** The packages that our own sources name. */
const ownPackages = new Set(Object.keys(JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")).dependencies));

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
  const buildsAgain = existsSync(stampFile(root));
  rmSync(stampFile(root), { force: true });
  await Promise.all([bundleServer(serverFolder(root)), buildNext({ buildsAgain })]);
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
      // Bundled CommonJS packages ask for modules of Node by `require`, which ES modules lack.
      banner: { js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);' },
      // Next replaces this package when it builds; in plain Node it does nothing but throw.
      plugins: [
        { name: "server-only", setup: (plan) => emptyModule(plan, /^server-only$/) },
        { name: "packages", setup: leavePackages },
      ],
      tsconfig: path.join(root, "tsconfig.json"),
      // Node looks for the ends of all lines of a file with a source map. Names stay, for what reads them: errors and classes.
      minifyWhitespace: true,
      minifySyntax: true,
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

/** Other packages stay in node_modules, where Next's bundles find the same ones. Packages that only bundled ones name come in with them. */
function leavePackages(plan) {
  plan.onResolve({ filter: /^(@[\w-]|[\w-])/ }, ({ path: name, kind, importer }) => {
    const [scope = "", inScope = ""] = name.split("/");
    const owner = scope.startsWith("@") ? `${scope}/${inScope}` : scope;
    const comesIn =
      bundledPackages.has(owner) || (/[\\/]node_modules[\\/]/.test(importer) && !ownPackages.has(owner) && !builtinModules.includes(owner));
    return kind === "entry-point" || comesIn ? undefined : { path: name, external: true };
  });
}

async function buildNext({ buildsAgain }) {
  const child = spawn(process.execPath, [path.join(root, "node_modules/next/dist/bin/next"), "build"], {
    cwd: root,
    env: { ...process.env, ...(buildsAgain ? { HANDRAIL_BUILDS_AGAIN: "1" } : {}) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.on("close", resolve).on("error", () => resolve(1)));
  if (code !== 0) throw new BuildFailed(output);
}
