import type { Reporter, TestModule } from "vitest/node";

/** Names the tests that failed once and passed at the second try, because a green run would hide them. */
export default class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) => [...module.children.allTests()].filter((test) => test.diagnostic()?.flaky));
    if (flaky.length === 0) return;
    console.warn(`${flaky.length} of the tests passed only at the second try:`);
    for (const test of flaky) console.warn(`  ${test.module.relativeModuleId}: ${test.fullName}`);
  }
}
