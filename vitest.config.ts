import path from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

const root = import.meta.dirname;

/** Tests of what only thinks: nothing in these rooms knows a database, an environment or a clock that others could change. */
export const logicTests = [
  "components/**/*.test.{ts,tsx}",
  "contracts/**/*.test.ts",
  "server/guard/*.test.ts",
  "server/guard/{corpus,detectors,floor,matching,shell,surface}/**/*.test.ts",
];

/** For tests with a database: a Postgres before all, and in each file the driver as the product loads it. */
export const withDatabase = {
  setupFiles: ["server/testing/mended-driver.ts"],
  globalSetup: ["server/testing/global-setup.ts"],
};

export default defineConfig({
  resolve: {
    alias: [
      { find: /^server-only$/, replacement: path.join(root, "server/testing/server-only.ts") },
      { find: /^@\//, replacement: `${root}/` },
    ],
  },
  test: {
    exclude: [...configDefaults.exclude, "e2e/**", ".next/**", ".data/**"],
    pool: "forks",
    maxWorkers: "100%",
    projects: [
      // One process for many files: to load the guard anew for each takes longer than its tests.
      { extends: true, test: { name: "logic", include: logicTests, isolate: false } },
      // A process a file: what lives once a process (environment, pool, caches) is new for each.
      { extends: true, test: { name: "server", include: ["**/*.test.{ts,tsx}"], exclude: logicTests, ...withDatabase } },
    ],
    testTimeout: 15_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
    allowOnly: false,
  },
});
