import { expect, test } from "vitest";
import { deliveryReason } from "./delivery-reason";

test("a delivery that is retried or failed says why in one line, and one that arrived says nothing", () => {
  const lastError = "It answered 500: <h1>Oops</h1>\n\n  trace";
  expect(deliveryReason({ status: "pending", lastError })).toBe("It answered 500: <h1>Oops</h1> trace");
  expect(deliveryReason({ status: "failed", lastError: "example.com did not answer within 10 s." })).toContain("did not answer");
  expect(deliveryReason({ status: "delivered", lastError })).toBeNull();
  expect(deliveryReason({ status: "pending", lastError: null })).toBeNull();
});
