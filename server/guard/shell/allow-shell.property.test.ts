import fc from "fast-check";
import { expect, test } from "vitest";
import { policyOfRules, shellCall } from "@/server/testing/guarded-calls";
import { decide } from "../decide";

const policy = policyOfRules([{ tool: "shell_execute", pattern: "^(ls|cat|grep|find)(\\s|$)" }], { defaultPolicy: "require_approval" });
const isAllowed = (command: string) => decide(policy, shellCall(command)).verdict === "allow";

const blank = fc.constantFrom(" ", "  ", "\t");
const argument = fc.constantFrom("-la", "src", "'a b'", '"c;d"', "e\\ f", "*.md", "$LANG", "--", "größe", "2>&1", ">/dev/null", "'$(x)'");
const simple = (names: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...names), fc.array(argument, { maxLength: 3 }), blank)
    .map(([name, args, space]) => [name, ...args].join(space));
const covered = simple(["ls", "cat", "grep"]);
const uncovered = simple(["rm", "lsof", "sh", "evil", "./ls", "'ls'", "l\\s", "$x", "eval", "xargs", "git", "sudo ls", "env rm", "\\ls"]);

/** Scripts of any shape around one command. */
const { script } = fc.letrec<{ script: string }>((tie) => ({
  script: fc.oneof({ maxDepth: 4, depthSize: "small" }, covered, around(tie("script"))),
}));

/** The ways in which a script can stand in a larger one; the others in it are covered. */
function around(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const join = fc.constantFrom("; ", "\n", " && ", " || ", " | ", ";", "|", "\n\n# note\n");
  return fc.oneof(
    fc.tuple(inner, join, covered).map((parts) => parts.join("")),
    fc.tuple(covered, join, inner).map((parts) => parts.join("")),
    inner.map((body) => `(${body}\n)`),
    inner.map((body) => `{ ${body}\n}`),
    inner.map((body) => `if ls; then ${body}\nfi`),
    inner.map((body) => `if ls; then cat a; else ${body}\nfi`),
    inner.map((body) => `while ${body}\ndo ls; done`),
    inner.map((body) => `for f in a b; do ${body}\ndone`),
    inner.map((body) => `case a in a) ${body}\n;; esac`),
    // In parentheses: a `!` is no part of a pipeline.
    inner.map((body) => `(! { ${body}\n})`),
  );
}

/** The same around a command that is not covered, and ways that nothing may take. */
function hiding(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    around(inner),
    inner.map((body) => `ls $(${body}\n)`),
    inner.map((body) => `cat "$(${body}\n)"`),
    inner.map((body) => `cat <(${body}\n)`),
    inner.map((body) => `cat <<E\n$(${body}\n)\nE`),
    inner.map((body) => `f() { ${body}\n}; ls`),
    inner.map((body) => `ls & ${body}`),
    inner.map((body) => `coproc { ${body}\n}`),
  );
}

test("a script whose commands are all covered is allowed, however they are put together", () => {
  fc.assert(
    fc.property(script, (command) => {
      expect(isAllowed(command)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("a script that contains one command that is not covered is never allowed", () => {
  const { hidden } = fc.letrec<{ hidden: string }>((tie) => ({
    hidden: fc.oneof({ maxDepth: 4, depthSize: "small" }, uncovered, hiding(tie("hidden"))),
  }));
  fc.assert(
    fc.property(hidden, (command) => {
      expect(isAllowed(command)).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

test("whatever a model writes, a decision comes out", () => {
  const noise = fc.string({
    unit: fc.constantFrom(..."ls;|&<>(){}[]$`'\"\\#!=*?~ \n\t\r\0", "\u2028", "\ud800", "$(", "<<E", "rm"),
    maxLength: 60,
  });
  fc.assert(
    fc.property(noise, (command) => {
      expect(["allow", "require_approval", "deny"]).toContain(decide(policy, shellCall(command)).verdict);
    }),
    { numRuns: 1_000 },
  );
});
