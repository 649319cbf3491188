import { expect, test } from "vitest";
import { argumentsSummary } from "./arguments-summary";

test.each([
  [{ arguments: { command: "npm  test\n-- --watch", timeoutSeconds: 5 } }, "npm test -- --watch"],
  [{ arguments: { content: "x", path: "src/a.ts" } }, "src/a.ts"],
  [{ arguments: { zone: "Europe/Berlin" } }, "Europe/Berlin"],
  [{ arguments: { a: 1, b: [2] } }, '{"a":1,"b":[2]}'],
  [{ arguments: '{"cut' }, '{"cut'],
  [{ arguments: {} }, null],
  [{}, null],
])("%j is summed up as %s", (data, summary) => {
  expect(argumentsSummary(data)).toBe(summary);
});

test("a long text is cut", () => {
  expect(argumentsSummary({ arguments: { command: "x".repeat(500) } })).toHaveLength(161);
});
