import path from "node:path";
import { defineConfig } from "vitest/config";
import everything from "../../vitest.config";
import { decisionRooms } from "./rooms";

const decision = Object.values(decisionRooms);
const code = decision.flatMap(({ code }) => code);
const isLeftOut = (pattern: string) => pattern.startsWith("!");
const { projects, ...test } = everything.test ?? {};

/** `npm run coverage:guard`: the branches of the decision and of the programs' table that tests take. All of them, or the command fails. */
export default defineConfig({
  ...everything,
  root: path.resolve(import.meta.dirname, "../.."),
  test: {
    ...test,
    // The corpora take a second: what they try need not be tried again.
    include: ["server/guard/**/*.test.ts", "corpus/guard/*.test.ts"],
    isolate: false,
    coverage: {
      enabled: true,
      provider: "v8",
      include: code.filter((pattern) => !isLeftOut(pattern)),
      exclude: ["**/*.test.ts", ...code.filter(isLeftOut).map((pattern) => pattern.slice(1))],
      reporter: ["text", "json"],
      reportsDirectory: ".data/coverage",
      thresholds: { branches: 100 },
    },
  },
});
