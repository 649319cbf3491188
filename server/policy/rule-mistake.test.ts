import { expect, test } from "vitest";
import { describeRuleMistake, type RuleMistake, ruleMistake } from "./rule-mistake";

const rule = {
  tool: "read_file",
  parameter: null,
  pattern: null,
  excludePattern: null,
  relaxes: [],
  approvers: null,
  verdict: "require_approval" as const,
};

test.each<[content: Partial<Parameters<typeof ruleMistake>[0]>, path: RuleMistake["path"], sentence: string]>([
  [{ tool: "effect:delete" }, "tool", 'The tool pattern cannot be used: "effect:" takes read, write or destroy.'],
  [
    { tool: "does:delete" },
    "tool",
    'The tool pattern cannot be used: "does:" takes runs_commands, reads_path, writes_path or connects_to.',
  ],
  [
    { tool: "does:reads_path", parameter: "path" },
    "parameter",
    "The parameter cannot be used: leave it out, because the pattern of a rule about what a call does sees each path",
  ],
  [{ excludePattern: "a{2000}" }, "excludePattern", "The exception cannot be used: invalid repeat count at character 2: "],
  [
    { pattern: "(?P<n>a)(?P<n>b)" },
    "pattern",
    "The pattern cannot be used: duplicate capture group name. To fix it: give each group its own name.",
  ],
  [
    { verdict: "deny" as const, approvers: { roles: [], users: [], quorum: 2, escalation: null } },
    "approvers",
    "The list of approvers cannot be used: only a rule that asks has approvers.",
  ],
  [
    { relaxes: ["floor.power"] },
    "relaxes.0",
    "The list of relaxed detectors cannot be used: floor.power belongs to the hard floor, which nothing relaxes.",
  ],
])("%j is no rule that can be used, and a sentence says why", (content, path, sentence) => {
  const mistake = ruleMistake({ ...rule, ...content });
  if (!mistake) throw new Error("it was taken");
  expect(mistake.path).toBe(path);
  const said = describeRuleMistake(mistake);
  expect(said.startsWith(sentence), said).toBe(true);
  expect(said).toMatch(/[^.]\.$/);
});

test("patterns of several rules share the room that there is for them", () => {
  const room = { instructions: 20 };
  expect(ruleMistake({ ...rule, pattern: "^a$" }, room)).toBeNull();
  expect(room.instructions).toBeLessThan(20);
  expect(ruleMistake({ ...rule, pattern: "^a$", excludePattern: "(a|b){9}" }, room)).toMatchObject({
    path: "excludePattern",
    message: expect.stringContaining("too large together"),
  });
});
