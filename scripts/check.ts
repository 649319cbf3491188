/**
 * Format, lint, layers, types, then logic and server tests. Each step says how many things it looked at, and none at
 * all is a failure: a green check that checked nothing is worse than no check.
 * With HANDRAIL_TEST_TALLY set, the number of tests goes into that file as `{ passed, failed }`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const require = createRequire(import.meta.url);

/** Runs the command that a package brings, on this Node, with its output shown unless it is wanted. */
function run(packageName: string, bin: string, options: string[], { show = true } = {}) {
  const script = path.join(path.dirname(require.resolve(`${packageName}/package.json`)), bin);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...options], {
    cwd: root,
    encoding: "utf8",
    stdio: show ? "inherit" : "pipe",
    maxBuffer: 64 * 1_048_576,
  });
  return { ok: status === 0, output: show ? "" : `${stdout}${stderr}` };
}

function stop(sentence: string): never {
  console.error(`check: ${sentence}`);
  process.exit(1);
}

function formatAndLint(): number {
  const { ok, output } = run("@biomejs/biome", "bin/biome", ["check", "--error-on-warnings", "--colors=off", "."], { show: false });
  const examined = Number(/Checked (\d+) files?/.exec(output)?.[1] ?? 0);
  if (!ok) {
    console.error(output);
    stop("Biome found the problems above. `npx biome check --write .` repairs what it can.");
  }
  return examined;
}

function types(): number {
  // Writes next-env.d.ts and the types of the routes, which a fresh clone does not have.
  const typegen = run("next", "dist/bin/next", ["typegen"], { show: false });
  if (!typegen.ok) {
    console.error(typegen.output);
    stop("Next could not write the types of the routes.");
  }
  const { ok, output } = run("typescript", "bin/tsc", ["--listFiles", "--pretty", "false"], { show: false });
  const lines = output.split("\n").filter(Boolean);
  const isListed = (line: string) => path.isAbsolute(line);
  if (!ok) {
    console.error(lines.filter((line) => !isListed(line)).join("\n"));
    stop("The types do not fit together.");
  }
  return lines.filter((line) => isListed(line) && !/\/(node_modules|\.next)\//.test(line)).length;
}

function tests(): { files: number; passed: number } {
  const folder = mkdtempSync(path.join(tmpdir(), "handrail-check-"));
  const report = path.join(folder, "vitest.json");
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const { ok } = run("vitest", "vitest.mjs", [
    "run",
    "--reporter=default",
    "--reporter=./scripts/second-tries.ts",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  let result: { numPassedTests: number; numFailedTests: number; numTotalTests: number; testResults: unknown[] };
  try {
    result = JSON.parse(readFileSync(report, "utf8"));
  } catch {
    stop("The tests ended before they could report.");
  }
  const { numPassedTests: passed, numFailedTests: failed, numTotalTests: total, testResults } = result;
  if (process.env.HANDRAIL_TEST_TALLY) {
    writeFileSync(process.env.HANDRAIL_TEST_TALLY, JSON.stringify({ passed, failed: ok ? failed : Math.max(failed, 1) }));
  }
  if (!ok) stop(`${failed} of ${total} tests failed.`);
  if (passed !== total) stop(`${total - passed} tests were skipped. Repair or remove them.`);
  return { files: testResults.length, passed };
}

function atLeastOne(count: number, what: string): number {
  if (count === 0) stop(`looked at no ${what}; the check itself is broken.`);
  console.log(`check: ${count} ${what}`);
  return count;
}

atLeastOne(formatAndLint(), "files formatted and linted");
atLeastOne(types(), "files fit together by type");
const { files, passed } = tests();
atLeastOne(files, "test files");
atLeastOne(passed, "tests passed");
