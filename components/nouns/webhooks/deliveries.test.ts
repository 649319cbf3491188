import { expect, test } from "vitest";
import { deliveryReason, isInFlight } from "./deliveries";

test("a delivery is on its way until something is known of its first try", () => {
  const queued = { status: "pending", attempts: 0, lastStatus: null, lastError: null } as const;
  expect(isInFlight(queued)).toBe(true);
  expect(isInFlight({ ...queued, attempts: 1 })).toBe(true);
  expect(isInFlight({ ...queued, attempts: 1, lastStatus: 500, lastError: "It answered 500." })).toBe(false);
  expect(isInFlight({ ...queued, attempts: 1, lastError: "It did not answer." })).toBe(false);
  expect(isInFlight({ ...queued, status: "delivered", attempts: 1, lastStatus: 204 })).toBe(false);
});

test("a delivery that is retried or failed says why in one line, and one that arrived says nothing", () => {
  const lastError = "It answered 500: <h1>Oops</h1>\n\n  trace";
  expect(deliveryReason({ status: "pending", lastError })).toBe("It answered 500: <h1>Oops</h1> trace");
  expect(deliveryReason({ status: "failed", lastError: "example.com did not answer within 10 s." })).toContain("did not answer");
  expect(deliveryReason({ status: "delivered", lastError })).toBeNull();
  expect(deliveryReason({ status: "pending", lastError: null })).toBeNull();
});
