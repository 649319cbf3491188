import { expect, test } from "vitest";
import { describeRulePosition } from "./describe-rule-position";

const rules = [
  { id: "a", priority: 30 },
  { id: "b", priority: 20 },
  { id: "c", priority: 20 },
];

test("the place follows the priority", () => {
  expect(describeRulePosition(40, rules, null)).toBe("Tried first");
  expect(describeRulePosition(25, rules, null)).toBe("Tried as number 2 of 4");
  expect(describeRulePosition(1, [], null)).toBe("The only rule");
});

test("among equals the older rule comes first", () => {
  expect(describeRulePosition(20, rules, null)).toBe("Tried as number 4 of 4");
  expect(describeRulePosition(20, rules, "b")).toBe("Tried as number 2 of 3");
  expect(describeRulePosition(20, rules, "c")).toBe("Tried as number 3 of 3");
});
