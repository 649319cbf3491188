import path from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

const root = import.meta.dirname;

export default defineConfig({
  resolve: {
    alias: [
      { find: /^server-only$/, replacement: path.join(root, "server/testing/server-only.ts") },
      { find: /^@\//, replacement: `${root}/` },
    ],
  },
  test: {
    include: ["**/*.test.{ts,tsx}"],
    exclude: [...configDefaults.exclude, "e2e/**", ".next/**", ".data/**"],
    setupFiles: ["server/testing/mended-driver.ts"],
    globalSetup: ["server/testing/global-setup.ts"],
    // A process a file: what lives once a process (environment, pool, caches) is new for each.
    pool: "forks",
    maxWorkers: "100%",
    testTimeout: 15_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
    allowOnly: false,
  },
});
