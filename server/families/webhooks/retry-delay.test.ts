import { expect, test } from "vitest";
import { maxAttempts, retryDelayMs } from "./retry-delay";

const dayMs = 86_400_000;
const delays = (random: number) => Array.from({ length: maxAttempts }, (_, index) => retryDelayMs(index + 1, random));

test("a delivery that nobody takes is tried for about a day, ever more rarely, and then no more", () => {
  const usual = delays(0.5);
  expect(usual.at(-1)).toBeNull();
  const waits = usual.flatMap((delay) => delay ?? []);
  expect(waits).toHaveLength(maxAttempts - 1);
  expect(waits[0]).toBe(10_000);
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  const total = waits.reduce((sum, delay) => sum + delay, 0);
  expect(total).toBeGreaterThan(0.95 * dayMs);
  expect(total).toBeLessThanOrEqual(dayMs);
});

test("receivers that come back do not get everything at the same moment", () => {
  expect(retryDelayMs(1, 0)).toBe(9_000);
  expect(retryDelayMs(1, 1)).toBe(11_000);
});
