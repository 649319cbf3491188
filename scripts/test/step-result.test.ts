import { expect, test } from "vitest";
import { summarise, timeStep } from "./step-result.mjs";

test("a run ends with the seconds of each step and one list of everything that failed", () => {
  const { text, passed, failed, secondTries } = summarise(
    "npm test",
    [
      { title: "types", seconds: 12.4, passed: 0, failed: ["The types do not fit together."] },
      { title: "tests", seconds: 300, passed: 40, failed: ["a.test.ts: adds"], secondTries: [] },
      { title: "journeys", seconds: 60.1, passed: 9, failed: [] },
    ],
    373,
  );
  expect({ passed, failed, secondTries }).toEqual({ passed: 49, failed: 2, secondTries: 0 });
  expect(text.split("\n")).toEqual([
    "FAILED    12 s  types",
    "FAILED   300 s  tests",
    "good      60 s  journeys",
    "",
    'Failed under "types":',
    "  The types do not fit together.",
    "",
    'Failed under "tests":',
    "  a.test.ts: adds",
    "",
    "npm test: NOT good: 2 failed (373 s)",
  ]);
});

test("a test that passed at its second try is named at the end, and is not among those that passed", () => {
  const { text, passed, failed, secondTries } = summarise(
    "npm test",
    [{ title: "tests", seconds: 1, passed: 3, failed: [], secondTries: ["b.test.ts: waits"] }],
    1,
  );
  expect({ passed, failed, secondTries }).toEqual({ passed: 3, failed: 0, secondTries: 1 });
  expect(text).toContain("npm test: NOT sure: 1 passed only at the second try");
  expect(text).toContain('Passed only at the second try under "tests":\n  b.test.ts: waits');
});

test("an error that a step throws is the failure of that step", async () => {
  const step = await timeStep("types", () => Promise.reject(new Error("no types")));
  expect(step).toMatchObject({ title: "types", passed: 0, failed: ["no types"] });
});
