import { expect, test } from "vitest";
import { timeFromId } from "./time-from-id";

test("an id tells when it was made", () => {
  expect(timeFromId("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")).toBe(Date.parse("2022-02-22T19:22:22.000Z"));
});

test("an id of another kind tells no time", () => {
  expect(timeFromId("017f22e2-79b0-4cc3-98c4-dc0c0c07398f")).toBeNull();
  expect(timeFromId("yesterday")).toBeNull();
});
