// Entry of `npm test`: everything, from a fresh clone. Like start.mjs it begins on the Node that the machine has, with
// nothing installed: plain JavaScript, no packages. It installs what is missing and runs the rest on the pinned Node.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { provideBrowser } from "./provide-browser.mjs";
import { provideBubblewrap } from "./provide-bubblewrap.mjs";
import { installPackages, missingPackages } from "./start/install.mjs";
import { pinnedNode } from "./start/pinned-node.mjs";
import { runChild } from "./start/run-child.mjs";
import { isStopRequested } from "./start/stop-requests.mjs";

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "..");
const startedAt = Date.now();
process.chdir(root);

const missing = missingPackages(root, { withDev: true });
if (missing && (await installPackages(root, missing, { withDev: true })) !== 0) process.exit(1);
const node = await pinnedNode(root);
const browser = node && provideBrowser();
if (!node || !browser || !provideBubblewrap()) process.exit(1);

const folder = mkdtempSync(path.join(tmpdir(), "handrail-npm-test-"));
const tally = path.join(folder, "check.json");
const report = path.join(folder, "journeys.json");
const environment = {
  ...process.env,
  PATH: [path.dirname(node), path.join(root, "node_modules/.bin"), process.env.PATH].join(path.delimiter),
  CHROME_PATH: browser,
  NEXT_TELEMETRY_DISABLED: "1",
  HANDRAIL_TEST_TALLY: tally,
};

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

/** One run of all of them: its workers take the next file as soon as they are free, so that both cores are busy to the end. */
function runJourneys() {
  return run(["node_modules/@playwright/test/cli.js", "test"], { HANDRAIL_E2E_REPORT: report });
}

function checkCounts() {
  return readJson(tally) ?? { passed: 0, failed: 0 };
}

function journeyCounts() {
  const stats = readJson(report)?.stats;
  // A run that left no report has shown nothing.
  if (!stats) return { passed: 0, failed: 1 };
  if (stats.flaky > 0) console.warn(`${stats.flaky} of the journeys passed only at the second try: see "flaky" above.`);
  // A journey that was skipped has shown nothing.
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + stats.skipped };
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
