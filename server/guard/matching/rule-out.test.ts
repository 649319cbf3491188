import fc from "fast-check";
import { expect, test } from "vitest";
import type { Verdict } from "@/contracts/guard";
import { callOf, mcpTool, policyOfRules, shellCall } from "@/server/testing/guarded-calls";
import { decide } from "../decide";

const plain = fc.constantFrom("^ls", "rm", "^(ls|cat)\\b", "tmp/.+", "a|b", "x?", "\\brm\\b", "^git (push|pull)", "head");
const commands = fc.constantFrom(
  "ls",
  "ls -la",
  "rm tmp/x",
  "ls; rm x",
  "sudo rm x",
  "r''m x",
  "$(rm x)",
  "git push | head",
  "cat a > b",
  "echo 'rm'",
  ": '",
);
const verdicts = fc.constantFrom<Verdict>("allow", "deny", "require_approval");

/** The same pattern, written so that nothing can be told from it beforehand. */
const opaque = (pattern: string) => `(?:${pattern}){1}`;

test("what is ruled out beforehand would not have matched", () => {
  const asked = fc.oneof(
    commands.map((command) => ({ tool: "shell_execute", call: shellCall(command) })),
    commands.map((title) => ({ tool: mcpTool.name, call: callOf(mcpTool, { title, body: { text: "ls" } }) })),
  );
  const rule = { pattern: plain, verdict: verdicts, parameter: fc.constantFrom(null, "command", "title", "/body/*", "missing") };
  fc.assert(
    fc.property(asked, fc.array(fc.record(rule), { maxLength: 5 }), ({ tool, call }, rules) => {
      const outcome = (write: (pattern: string) => string) => {
        const policy = policyOfRules(rules.map(({ pattern, ...rest }) => ({ tool, ...rest, pattern: write(pattern) })));
        const { verdict, trace } = decide(policy, call, 0);
        return { verdict, results: trace.map(({ result }) => result) };
      };
      expect(outcome((pattern) => pattern)).toEqual(outcome(opaque));
    }),
    { numRuns: 2_000 },
  );
});
