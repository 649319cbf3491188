import { writeFileSync } from "node:fs";
import type { SerializedError } from "vitest";
import type { Reporter, TestModule } from "vitest/node";

/** Names of one run's tests: what `scripts/check.ts` counts and lists. */
export type VitestReport = { files: number; passed: number; failed: string[]; skipped: string[]; secondTries: string[] };

/**
 * Writes a `VitestReport` into the file that HANDRAIL_VITEST_REPORT names. A test that passed at its second try has a list of its own,
 * because a green run would hide it.
 */
export default class WriteReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const path = process.env.HANDRAIL_VITEST_REPORT;
    if (!path) return;
    const report: VitestReport = { files: modules.length, passed: 0, failed: [], skipped: [], secondTries: [] };
    for (const module of modules) {
      // A file that cannot be loaded has no tests that could fail.
      for (const { message } of module.errors()) report.failed.push(`${module.relativeModuleId}: ${message}`);
      for (const test of module.children.allTests()) {
        const name = `${module.relativeModuleId}: ${test.fullName}`;
        const result = test.result();
        const { state } = result;
        if (state === "failed") report.failed.push(name);
        else if (state !== "passed") report.skipped.push(name);
        else if (test.diagnostic()?.flaky) report.secondTries.push(name);
        else report.passed += 1;
      }
      for (const suite of module.children.allSuites()) {
        for (const { message } of suite.errors()) report.failed.push(`${module.relativeModuleId}: ${suite.fullName}: ${message}`);
      }
    }
    for (const { message } of unhandledErrors) report.failed.push(`outside of all tests: ${message}`);
    writeFileSync(path, JSON.stringify(report));
  }
}
