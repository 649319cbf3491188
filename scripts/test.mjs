// What `npm test` runs: everything, from a fresh clone. Like start.mjs it begins on the Node that the machine has, with
// nothing installed: plain JavaScript, no packages. It installs what is missing and runs the rest on the pinned Node.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { provideBrowser } from "./provide-browser.mjs";
import { installPackages, missingPackages } from "./start/install.mjs";
import { pinnedNode } from "./start/pinned-node.mjs";
import { runChild } from "./start/run-child.mjs";
import { isStopRequested } from "./start/stop-requests.mjs";

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "..");
const startedAt = Date.now();
process.chdir(root);

const missing = missingPackages(root, { forBuilding: true });
if (missing && (await installPackages(root, missing)) !== 0) process.exit(1);
const node = await pinnedNode(root);
const browser = node && provideBrowser();
if (!node || !browser) process.exit(1);

const folder = mkdtempSync(path.join(tmpdir(), "handrail-npm-test-"));
const tally = path.join(folder, "check.json");
const environment = {
  ...process.env,
  PATH: [path.dirname(node), path.join(root, "node_modules/.bin"), process.env.PATH].join(path.delimiter),
  CHROME_PATH: browser,
  NEXT_TELEMETRY_DISABLED: "1",
  HANDRAIL_TEST_TALLY: tally,
};

/**
 * Two lanes side by side, because a journey waits more than it works: each lane is one run after the other, and the browser's
 * journeys, which are most of it, are shared between them.
 */
const lanes = [
  [
    { name: "api", options: ["--project=api"] },
    { name: "console-1", options: ["--project=console", "--shard=1/2"] },
  ],
  [
    { name: "replicas", options: ["--project=start", "--project=replicas"] },
    { name: "console-2", options: ["--project=console", "--shard=2/2"] },
  ],
];

/** In order of cheapness; the first that fails ends it. */
const steps = [
  { title: "format, lint, types, logic and server tests", run: () => run(["scripts/check.ts"]), countsOf: checkCounts },
  { title: "generated files", run: () => run(["scripts/generate.ts", "--check"]) },
  { title: "production build", run: () => run(["scripts/start.mjs", "--build"]) },
  { title: "API, console and replica journeys", run: runJourneys, countsOf: journeyCounts },
];

let passed = 0;
let failed = 0;
let failedStep = null;
for (const { title, run: perform, countsOf } of steps) {
  console.log(`\n== ${title}`);
  const code = await perform();
  const counts = countsOf?.() ?? { passed: 0, failed: 0 };
  passed += counts.passed;
  failed += counts.failed;
  if (code !== 0 || counts.failed > 0 || isStopRequested()) {
    failed = Math.max(failed, 1);
    failedStep = title;
    break;
  }
  if (countsOf && counts.passed === 0) {
    console.error(`No test ran under "${title}", so it shows nothing.`);
    failed += 1;
    failedStep = title;
    break;
  }
}
rmSync(folder, { recursive: true, force: true });

const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
console.log(`\n${failedStep ? `npm test: NOT good: ${failedStep} failed` : "npm test: everything is good"} (${seconds} s)`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** @param {string[]} args @param {NodeJS.ProcessEnv} more */
function run(args, more = {}) {
  return runChild(node, args, { root, environment: { ...environment, ...more } });
}

/** @returns {Promise<number>} the exit code of the first that failed, else 0 */
async function runJourneys() {
  const codes = await Promise.all(lanes.map(runLane));
  return codes.find((code) => code !== 0) ?? 0;
}

/**
 * To its end, also when one of its runs fails: the others may fail too, and then both are known.
 * @param {{ name: string, options: string[] }[]} lane
 */
async function runLane(lane) {
  let failure = 0;
  for (const { name, options } of lane) {
    if (isStopRequested()) return 1;
    const code = await run(["node_modules/@playwright/test/cli.js", "test", ...options], {
      HANDRAIL_E2E_OUTPUT: name,
      HANDRAIL_E2E_REPORT: reportOf(name),
    });
    failure ||= code;
  }
  return failure;
}

/** @param {string} name */
function reportOf(name) {
  return path.join(folder, `${name}.json`);
}

function checkCounts() {
  return readJson(tally) ?? { passed: 0, failed: 0 };
}

function journeyCounts() {
  const sum = { passed: 0, failed: 0 };
  for (const { name } of lanes.flat()) {
    const stats = readJson(reportOf(name))?.stats;
    // One that left no report has shown nothing.
    if (!stats) sum.failed += 1;
    else {
      sum.passed += stats.expected;
      // A journey that was skipped has shown nothing, and one that only passed at the second try is not to be trusted.
      sum.failed += stats.unexpected + stats.flaky + stats.skipped;
    }
  }
  return sum;
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
