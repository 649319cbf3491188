import { existsSync } from "node:fs";
import path from "node:path";
import { hasDevPackages, installPackages, missingPackages } from "./install.mjs";
import { isBuilt } from "./is-built.mjs";
import { pinnedNode } from "./pinned-node.mjs";
import { runChild } from "./run-child.mjs";

const usage = `npm start              installs, builds and starts what is needed
npm run dev            the same for working on Handrail: pages are compiled when they are asked for
npm run build          installs and builds, without starting

npm start -- --reset-admin-password   gives the owner in HANDRAIL_ADMIN_EMAIL a new password first`;

const knownOptions = ["--dev", "--build", "--reset-admin-password"];

/**
 * @param {string} root the checkout
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
export async function start(root, args) {
  const unknown = args.find((arg) => !knownOptions.includes(arg));
  if (unknown) {
    console.error(`Handrail does not know the option ${unknown}.\n\n${usage}`);
    return 1;
  }
  const isDev = args.includes("--dev");
  const onlyBuild = args.includes("--build");
  const since = Date.now();

  const needsBuild = !isDev && !(await isBuilt(root));
  const missing = missingPackages(root, { withDev: isDev });
  if (missing) {
    const code = await installPackages(root, missing, { withDev: isDev || hasDevPackages(root) });
    if (code !== 0) return code;
  }
  const node = await pinnedNode(root);
  if (!node) return 1;

  const environment = { ...process.env, NODE_ENV: isDev ? "development" : "production", NEXT_TELEMETRY_DISABLED: "1" };
  // Compiled code of the packages is kept, which halves the time that loading them takes.
  environment.NODE_COMPILE_CACHE ??= path.join(root, "dist/compile-cache");
  if (needsBuild || isDev) {
    const code = await runChild(node, ["scripts/build.mjs", ...(isDev ? ["--dev"] : [])], { root, environment });
    if (code !== 0) return code;
  }
  if (onlyBuild) {
    if (!needsBuild) console.log("Handrail is built already; nothing has changed since.");
    return 0;
  }
  // The environment wins over both files, and the second file over the first.
  const settings = [".env", ".env.local"].filter((file) => existsSync(path.join(root, file))).map((file) => `--env-file=${file}`);
  const rest = args.filter((arg) => arg === "--reset-admin-password");
  const program = isDev ? ["dist/dev-server/main.mjs", "--dev"] : ["dist/server/main.mjs"];
  return runChild(node, [...settings, "--import=./scripts/start/source-maps.mjs", ...program, ...rest, `--since=${since}`], {
    root,
    environment,
    stoppedCode: 0,
  });
}
