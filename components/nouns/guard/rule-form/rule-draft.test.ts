import { describe, expect, test } from "vitest";
import type { GuardRule } from "@/contracts/guard/guard";
import { draftOf } from "./draft-of-rule";
import { emptyForm, otherwiseDraft, parseForm, previewable, topPriority, toRuleForm } from "./rule-draft";

const form = { ...emptyForm([]), name: "Reads", tool: "shell_execute", pattern: "^ls ", verdict: "allow" as const };
const rule: GuardRule = {
  id: "01890000-0000-7000-8000-000000000000",
  name: "Reads",
  tool: "shell_execute",
  parameter: null,
  pattern: "^ls",
  excludePattern: "ls -R",
  comparisons: [
    { parameter: "/limits/seconds", operator: ">", value: 1.5 },
    { parameter: "mode", operator: "in", value: ["a, b", "100"] },
    { parameter: "mode", operator: "=", value: "true" },
    { parameter: "force", operator: "=", value: false },
    { parameter: "note", operator: "not exists" },
  ],
  context: {
    agents: ["default"],
    channels: null,
    actors: null,
    origins: ["cron"],
    interactive: false,
    time: { days: ["mon"], from: "22:00", to: "06:00", zone: "Europe/Berlin" },
  },
  source: "workspace",
  verdict: "require_approval",
  priority: 40,
  enabled: false,
  reason: "",
  expiresAt: null,
  relaxes: ["shell.pipe_to_shell"],
  approvers: { roles: ["admin"], users: [], quorum: 2, escalation: { afterSeconds: 600, roles: ["owner"], users: [] } },
  version: 3,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};

describe("the form of a rule", () => {
  test("empty fields are left out, and a space at the end of a pattern counts", () => {
    expect(parseForm(form).draft).toMatchObject({ parameter: null, pattern: "^ls ", priority: 10 });
  });

  test("says which fields are wrong", () => {
    expect(parseForm({ ...form, name: " ", tool: "" }).errors).toEqual({
      name: "Give the rule a name",
      tool: "Choose a tool, or a pattern of tools",
    });
    expect(parseForm({ ...form, tool: "a tool!" }).errors?.tool).toMatch(/use a tool's name/);
  });

  test("a saved rule goes through the form unchanged", () => {
    expect(parseForm(toRuleForm(rule)).draft).toEqual(draftOf(rule));
  });

  test("a new rule is tried before the others", () => {
    expect(topPriority([])).toBe(10);
    expect(topPriority([rule, { priority: -5 }])).toBe(50);
    expect(topPriority([{ priority: 1_000_000 }])).toBe(1_000_000);
  });

  test("a rule is tried out before it has a name, and not anew for its reason", () => {
    const nameless = previewable({ ...form, name: "" });
    expect(nameless).not.toBeNull();
    expect(previewable({ ...form, name: "x", reason: "because" })).toEqual(nameless);
    expect(previewable({ ...form, tool: "" })).toBeNull();
  });

  test("everything else of the tool is a rule right behind", () => {
    const { draft } = parseForm({ ...form, otherwise: "require_approval" });
    if (!draft) throw new Error("the form is complete");
    expect(otherwiseDraft({ ...form, otherwise: "require_approval" }, draft)).toEqual({
      ...draft,
      name: "Reads: everything else",
      pattern: null,
      verdict: "require_approval",
      priority: 9,
    });
    expect(otherwiseDraft(form, draft)).toBeNull();
    expect(otherwiseDraft({ ...form, otherwise: "deny" }, { ...draft, pattern: null })).toBeNull();
  });
});
