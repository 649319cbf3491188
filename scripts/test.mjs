// Entry of `npm test` and, with `--all`, of `npm run test:all`, from a fresh clone. Without it the tests in `*.long.*` files are left out
// (decision 0047). Like start.mjs it begins on the Node that the machine has, with nothing installed: plain JavaScript, no
// packages. It installs what is missing and runs the rest on the pinned Node.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { provideBrowser } from "./provide-browser.mjs";
import { provideBubblewrap } from "./provide-bubblewrap.mjs";
import { installPackages, missingPackages } from "./start/install.mjs";
import { pinnedNode } from "./start/pinned-node.mjs";
import { runChild } from "./start/run-child.mjs";
import { interrupted, isStopRequested } from "./start/stop-requests.mjs";
import { journeyResult } from "./test/journey-result.mjs";
import { summarise, timeStep } from "./test/step-result.mjs";

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "..");
process.chdir(root);
const isAll = process.argv.includes("--all");

const missing = missingPackages(root, { withDev: true });
if (missing && (await installPackages(root, missing, { withDev: true })) !== 0) process.exit(1);
const node = await pinnedNode(root);
const browser = node && provideBrowser();
if (!node || !browser || !provideBubblewrap()) process.exit(1);

const folder = mkdtempSync(path.join(tmpdir(), "handrail-npm-test-"));
const checkReport = path.join(folder, "check.json");
const journeyReport = path.join(folder, "journeys.json");
const environment = {
  ...process.env,
  PATH: [path.dirname(node), path.join(root, "node_modules/.bin"), process.env.PATH].join(path.delimiter),
  CHROME_PATH: browser,
  NEXT_TELEMETRY_DISABLED: "1",
};

// Every step runs whatever failed before it, so that one run tells of everything. Only a request to stop ends it early.
const results = await check();
results.push(await timeStep("generated files", () => exitCode(["scripts/generate.ts", "--check"])));
// Not beside the step before, which writes and compares the files that are built.
const build = await timeStep("production build", () => exitCode(["scripts/start.mjs", "--build"]));
results.push(build, await timeStep("API, console and replica journeys", () => journeys(build.failed.length === 0)));
rmSync(folder, { recursive: true, force: true });

const { text, passed, failed, secondTries } = summarise(isAll ? "npm run test:all" : "npm test", results, performance.now() / 1_000);
console.log(`\n${text}`);
// A second try counts as failed here, so that nobody reads past it; it does not fail the command.
console.log(
  `${passed} passed, ${failed + secondTries} failed${secondTries === 0 ? "" : ` (${secondTries} of them passed at the second try)`}`,
);
if (!isAll) console.log("Tests in *.long.* files did not run; `npm run test:all` runs them too.");
process.exit(failed === 0 ? 0 : 1);

async function check() {
  const whole = await timeStep("format, lint, types, logic and server tests", async () => {
    const result = await exitCode(["scripts/check.ts", ...(isAll ? ["--all"] : [])], { HANDRAIL_CHECK_REPORT: checkReport });
    return readJson(checkReport) ? { passed: 0, failed: [] } : result;
  });
  return readJson(checkReport) ?? [whole];
}

/** One run of all of them: its workers take the next file as soon as they are free, so that both cores are busy to the end. */
async function journeys(isBuilt) {
  if (!isBuilt) return { passed: 0, failed: ["No journey ran, because the production build failed."] };
  const code = await run(["node_modules/@playwright/test/cli.js", "test"], {
    HANDRAIL_E2E_REPORT: journeyReport,
    ...(isAll ? {} : { HANDRAIL_WITHOUT_LONG_TESTS: "1" }),
  });
  const result = journeyResult(readJson(journeyReport));
  if (code !== 0 && result.failed.length === 0) result.failed.push(`The journeys ended with exit code ${code}.`);
  return result;
}

async function exitCode(args, more) {
  const code = await run(args, more);
  return { passed: 0, failed: code === 0 ? [] : [`Ended with exit code ${code}; see its output above.`] };
}

/** @param {string[]} args @param {NodeJS.ProcessEnv} more */
function run(args, more = {}) {
  if (isStopRequested()) return Promise.resolve(interrupted);
  console.log(`\n== ${args.join(" ")}`);
  return runChild(node, args, { root, environment: { ...environment, ...more } });
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
