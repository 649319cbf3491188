import { expect, test } from "vitest";
import { describeReach } from "./describe-reach";

const all = { tool: "write_file", pattern: null, excludePattern: null, comparisons: [], context: null };
const rules = [
  { ...all, id: "a", pattern: "^docs/" },
  { ...all, id: "b" },
];

test("a rule that is never reached names the rule that decides before it, and the calls", () => {
  expect(describeReach("write_file", { ruleId: "b", name: "Ask" }, rules)).toBe("Never reached: rule 2 decides every write_file before it");
  expect(describeReach("write_file", { ruleId: "a", name: "Docs" }, rules)).toBe("Never reached: rule 1 decides the same calls before it");
  expect(describeReach("fs__*", { ruleId: "b", name: "Ask" }, rules)).toBe("Never reached: rule 2 decides every such call before it");
  expect(describeReach("*", { ruleId: "b", name: "Ask" }, rules)).toBe("Never reached: rule 2 decides every call before it");
});

test("and the entry of the list of denied tools", () => {
  expect(describeReach("fs__read", { ruleId: null, name: "fs__*" }, rules)).toBe("Never reached: fs__* is on the list of denied tools");
});
