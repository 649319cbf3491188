import { expect, test } from "vitest";
import { journeyResult } from "./journey-result.mjs";

const spec = (title: string, status: string) => ({ title, tests: [{ status }] });

test("journeys are counted and named by file, group and title", () => {
  const suites = [
    {
      title: "console/inbox.spec.ts",
      specs: [spec("approves a call", "expected"), spec("rejects a call", "unexpected")],
      suites: [{ title: "by keyboard", specs: [spec("moves down", "flaky"), spec("moves up", "skipped")] }],
    },
  ];
  expect(journeyResult({ stats: {}, suites })).toEqual({
    passed: 1,
    failed: ["console/inbox.spec.ts: rejects a call", "console/inbox.spec.ts: by keyboard: moves up (skipped)"],
    secondTries: ["console/inbox.spec.ts: by keyboard: moves down"],
  });
});

test("a run that left no report, or ran nothing, has failed", () => {
  expect(journeyResult(null).failed).toHaveLength(1);
  expect(journeyResult({ stats: {}, suites: [] }).failed).toHaveLength(1);
});

test("an error outside of all journeys is a failure", () => {
  const errors = [{ message: "\u001b[31mThe product did not start\u001b[39m\n    at start-product.ts" }];
  expect(journeyResult({ stats: {}, errors, suites: [] }).failed).toEqual(["The product did not start"]);
});
