import { availableParallelism } from "node:os";
import path from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { patienceMs } from "./server/testing/patience.ts";

const root = import.meta.dirname;

/** Pure tests: no database, no environment, no clock. */
export const logicTests = [
  "components/**/*.test.{ts,tsx}",
  "contracts/**/*.test.ts",
  "corpus/**/*.test.ts",
  "server/guard/**/*.test.ts",
  "server/secrets/**/*.test.ts",
];

/** Server tests with a process of their own: some replace modules, others leave ids of a day to come. */
const aloneTests = [
  "auth/invitations",
  "mcp/connect/session/passing-failure.long",
  "policy/rules/policy-in-memory",
  "turns/decide/concurrent-refusals",
  "turns/decide/sandbox-openings",
  "turns/turn-approvals",
  "turns/turn-machine.property.long",
  "turns/wrong-clock",
].map((name) => `server/${name}.test.ts`);

/** Not run by `npm test`, only by `npm run test:all` or when a file is named. */
const longTests = process.env.HANDRAIL_WITHOUT_LONG_TESTS ? ["**/*.long.test.{ts,tsx}"] : [];

const patient = ["server/testing/patient-waits.ts"];

/** For tests with a database: a Postgres before all. */
export const withDatabase = { globalSetup: ["server/testing/global-setup.ts"] };

export default defineConfig({
  resolve: {
    alias: [
      { find: /^server-only$/, replacement: path.join(root, "server/testing/server-only.ts") },
      { find: /^@\//, replacement: `${root}/` },
    ],
  },
  test: {
    exclude: [...configDefaults.exclude, "e2e/**", ".next/**", ".data/**", ...longTests],
    pool: "forks",
    // Half as many again as there are cores, because tests also wait: for Postgres, programs and timers.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      // One process for many files: to load the guard anew for each takes longer than its tests.
      { extends: true, test: { name: "logic", include: logicTests, isolate: false, setupFiles: patient } },
      {
        extends: true,
        test: {
          name: "server",
          include: ["**/*.test.{ts,tsx}"],
          exclude: [...logicTests, ...aloneTests],
          isolate: false,
          setupFiles: [...patient, "server/testing/as-new-process.ts"],
          ...withDatabase,
        },
      },
      { extends: true, test: { name: "alone", include: aloneTests, setupFiles: patient, ...withDatabase } },
    ],
    // A second try tells a test that a busy machine fails from one that is broken. `npm test` names it at its end.
    retry: process.env.CI ? 1 : 0,
    expect: { poll: { timeout: patienceMs } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
    allowOnly: false,
  },
});
