import { expect, test } from "vitest";
import { isInFlight } from "./is-in-flight";

test("a delivery is on its way until something is known of its first try", () => {
  const queued = { status: "pending", attempts: 0, lastStatus: null, lastError: null } as const;
  expect(isInFlight(queued)).toBe(true);
  expect(isInFlight({ ...queued, attempts: 1 })).toBe(true);
  expect(isInFlight({ ...queued, attempts: 1, lastStatus: 500, lastError: "It answered 500." })).toBe(false);
  expect(isInFlight({ ...queued, attempts: 1, lastError: "It did not answer." })).toBe(false);
  expect(isInFlight({ ...queued, status: "delivered", attempts: 1, lastStatus: 204 })).toBe(false);
});
