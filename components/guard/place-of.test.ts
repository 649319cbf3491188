import { expect, test } from "vitest";
import { placeOf } from "./place-of";

const rules = [
  { id: "a", priority: 30 },
  { id: "b", priority: 20 },
  { id: "c", priority: 20 },
];

test("the place follows the priority", () => {
  expect(placeOf(40, rules, null)).toBe("Tried first");
  expect(placeOf(25, rules, null)).toBe("Tried as number 2 of 4");
  expect(placeOf(1, [], null)).toBe("The only rule");
});

test("among equals the older rule comes first", () => {
  expect(placeOf(20, rules, null)).toBe("Tried as number 4 of 4");
  expect(placeOf(20, rules, "b")).toBe("Tried as number 2 of 3");
  expect(placeOf(20, rules, "c")).toBe("Tried as number 3 of 3");
});
