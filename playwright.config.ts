import { defineConfig } from "@playwright/test";
import { consoleBrowser } from "./e2e/console-browser";
import { findBrowser } from "./scripts/find-browser.mjs";

const executablePath = findBrowser() ?? undefined;
const isRoot = process.getuid?.() === 0;
const report = process.env.HANDRAIL_E2E_REPORT;

export default defineConfig({
  testDir: "e2e",
  // `npm test` leaves them out; `npm run test:all` and a file that is named run them.
  testIgnore: process.env.HANDRAIL_WITHOUT_LONG_TESTS ? "**/*.long.spec.ts" : [],
  // Of runs side by side none may clear what another one has found.
  outputDir: `test-results/${process.env.HANDRAIL_E2E_OUTPUT ?? "all"}`,
  globalSetup: "./e2e/start-product.ts",
  // They share one product, each in a workspace of its own. One more than there are cores, because a journey also waits.
  workers: 3,
  // A second try tells a journey that a busy machine fails from one that is broken. `npm test` names it at its end.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  // Journeys look at what they open by axe, which takes long on a busy machine.
  timeout: 180_000,
  // A busy machine takes long for each step, and the wait ends as soon as the step is done.
  expect: { timeout: 30_000 },
  reporter: report ? [["list"], ["json", { outputFile: report }]] : [["list"]],
  use: {
    // An element that cannot be clicked by then fails by itself, before the whole journey's time is up.
    actionTimeout: 30_000,
    // A trace draws every page a second time; HANDRAIL_E2E_TRACE=1 takes one of what fails.
    trace: process.env.HANDRAIL_E2E_TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath,
      args: [
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // Chromium's own sandbox refuses to run as root.
        ...(isRoot ? ["--no-sandbox"] : []),
      ],
    },
  },
  // In the order in which they begin. Those of one worker start and end products, which leaves room for nothing else of the kind.
  projects: [
    { name: "replicas", testDir: "e2e/replicas", workers: 1 },
    { name: "start", testDir: "e2e/start", workers: 1 },
    { name: "api", testDir: "e2e/api" },
    { name: "console", testDir: "e2e/console", use: { viewport: consoleBrowser.viewport, contextOptions: consoleBrowser } },
  ],
});
