import path from "node:path";
import { defineConfig } from "vitest/config";
import everything from "../../vitest.config";
import { decisionRooms } from "./rooms";

const decision = Object.values(decisionRooms);
const { setupFiles, globalSetup, ...test } = everything.test ?? {};

/** `npm run coverage:guard`: the branches of the decision that its own tests take. All of them, or the command fails. */
export default defineConfig({
  ...everything,
  root: path.resolve(import.meta.dirname, "../.."),
  test: {
    ...test,
    include: [...new Set(decision.flatMap(({ tests }) => tests))],
    coverage: {
      enabled: true,
      provider: "v8",
      include: decision.flatMap(({ code }) => code),
      exclude: ["**/*.test.ts"],
      reporter: ["text"],
      reportsDirectory: ".data/coverage",
      thresholds: { branches: 100, functions: 100, lines: 100, statements: 100 },
    },
  },
});
