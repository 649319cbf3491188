import { expect, test } from "vitest";
import { moveRule } from "./move-rule";

const rules = ["a", "b", "c"].map((id) => ({ id }));
const order = (id: string, to: number) =>
  moveRule(rules, id, to)
    .map((rule) => rule.id)
    .join("");

test("a rule moves to the place that it is dropped on, and the others close up", () => {
  expect(order("a", 2)).toBe("bca");
  expect(order("c", 0)).toBe("cab");
  expect(order("b", 0)).toBe("bac");
});

test("a place beyond the ends is the end", () => {
  expect(order("b", 9)).toBe("acb");
  expect(order("b", -1)).toBe("bac");
});

test("what changes nothing gives back the same list", () => {
  expect(moveRule(rules, "a", 0)).toBe(rules);
  expect(moveRule(rules, "a", -1)).toBe(rules);
  expect(moveRule(rules, "x", 1)).toBe(rules);
});
