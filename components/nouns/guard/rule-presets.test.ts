import { expect, test } from "vitest";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { rulePresets } from "./rule-presets";

test.each(rulePresets.map((preset) => [preset.title, preset] as const))("the preset %s can be saved as it is", (_title, { rule }) => {
  expect(GuardRuleDraft.safeParse(rule).error).toBeUndefined();
});

test("the shell preset does not let a longer command name through", () => {
  const pattern = new RegExp(rulePresets[0]?.rule.pattern ?? "");
  expect(["ls", "ls -la", "cat a.txt", "grep -r x ."].every((command) => pattern.test(command))).toBe(true);
  expect(["lsof", "ls-and-delete", "catalog", "sudo ls", "rm x"].some((command) => pattern.test(command))).toBe(false);
});
