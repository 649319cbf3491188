/**
 * Format, lint, layers, types, then logic and server tests. Every step runs whatever failed before it, and says how many things it
 * looked at; none at all is a failure, because a green check that checked nothing is worse than no check. Tests in `*.long.*` files
 * run with `--all` only (decision 0047).
 * With HANDRAIL_CHECK_REPORT set, the results go into that file as an array of `StepResult`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { text as textOf } from "node:stream/consumers";
import { summarise, timeStep } from "./test/step-result.mjs";
import type { VitestReport } from "./test/vitest-report";

const root = path.resolve(import.meta.dirname, "..");
const require = createRequire(import.meta.url);

/** Runs the command that a package brings, on this Node, with its output shown unless it is wanted. */
async function run(packageName: string, bin: string, options: string[], { show = true, environment = {} } = {}) {
  const script = path.join(path.dirname(require.resolve(`${packageName}/package.json`)), bin);
  const child = spawn(process.execPath, [script, ...options], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ["ignore", show ? "inherit" : "pipe", show ? "inherit" : "pipe"],
  });
  const outputs = [child.stdout, child.stderr].map((stream) => (stream ? textOf(stream) : ""));
  const [code] = await once(child, "close");
  return { ok: code === 0, output: (await Promise.all(outputs)).join("") };
}

const good = { passed: 0, failed: [] };

async function formatAndLint() {
  const { ok, output } = await run("@biomejs/biome", "bin/biome", ["check", "--error-on-warnings", "--colors=off", "."], { show: false });
  if (!ok) {
    console.error(output);
    throw new Error("Biome found problems. `npx biome check --write .` repairs what it can.");
  }
  assertSome(Number(/Checked (\d+) files?/.exec(output)?.[1] ?? 0), "files formatted and linted");
  return good;
}

async function types() {
  // Writes next-env.d.ts and the types of the routes, which a fresh clone does not have.
  const typegen = await run("next", "dist/bin/next", ["typegen"], { show: false });
  if (!typegen.ok) {
    console.error(typegen.output);
    throw new Error("Next could not write the types of the routes.");
  }
  const { ok, output } = await run("typescript", "bin/tsc", ["--listFiles", "--pretty", "false"], { show: false });
  const lines = output.split("\n").filter(Boolean);
  const isListed = (line: string) => path.isAbsolute(line);
  if (!ok) {
    console.error(lines.filter((line) => !isListed(line)).join("\n"));
    throw new Error("The types do not fit together.");
  }
  assertSome(lines.filter((line) => isListed(line) && !/\/(node_modules|\.next)\//.test(line)).length, "files fit together by type");
  return good;
}

async function tests() {
  const folder = mkdtempSync(path.join(tmpdir(), "handrail-check-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "vitest.json");
  const { ok } = await run("vitest", "vitest.mjs", ["run", "--reporter=default", "--reporter=./scripts/test/vitest-report.ts"], {
    environment: {
      HANDRAIL_VITEST_REPORT: file,
      ...(process.argv.includes("--all") ? {} : { HANDRAIL_WITHOUT_LONG_TESTS: "1" }),
    },
  });
  let report: VitestReport;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw new Error("The tests ended before they could report.");
  }
  const { files, passed, secondTries } = report;
  const failed = [...report.failed, ...report.skipped.map((name) => `${name} (skipped: repair or remove it)`)];
  if (!ok && failed.length === 0) failed.push("vitest failed without a failed test; see its output above.");
  assertSome(files, "test files");
  assertSome(passed, "tests passed");
  return { passed, failed, secondTries };
}

function assertSome(count: number, what: string): void {
  if (count === 0) throw new Error(`Looked at no ${what}; the check itself is broken.`);
  console.log(`check: ${count} ${what}`);
}

const steps = [
  // Neither of them uses a second core for long. The tests use both.
  ...(await Promise.all([timeStep("format and lint", formatAndLint), timeStep("types", types)])),
  await timeStep("logic and server tests", tests),
];
if (process.env.HANDRAIL_CHECK_REPORT) writeFileSync(process.env.HANDRAIL_CHECK_REPORT, JSON.stringify(steps));
const { text, failed } = summarise("check", steps, performance.now() / 1_000);
console.log(`\n${text}`);
process.exit(failed === 0 ? 0 : 1);
