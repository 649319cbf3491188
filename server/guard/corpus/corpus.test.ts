import { describe, expect, test } from "vitest";
import { policyOfRules, shellCall } from "@/server/testing/guarded-calls";
import { decide } from "../decide";
import { compilePattern } from "../matching/argument-pattern";
import { whyNotAllowed } from "../shell/allow-shell";
import { readShell } from "../shell/running-commands";
import { corpus } from "./corpus";

const readsOnly = "^(ls|cat|grep|find)\\b";
const entries = corpus.flatMap(({ commands, ...group }) => commands.map((command) => ({ ...group, command })));
const dangerous = entries.filter(({ kind }) => kind === "dangerous");
const benign = entries.filter(({ kind }) => kind === "benign");
const allowing = policyOfRules([], { defaultPolicy: "allow" });

/** Whether the rule for ls, cat, grep and find allows a command. */
function isAllowed(command: string): boolean {
  const compiled = compilePattern(readsOnly);
  return compiled.ok && whyNotAllowed(compiled.pattern, readShell(command)) === null;
}

const findingsOf = (command: string) => decide(allowing, shellCall(command)).findings.map(({ detector }) => detector);

test("the corpus has at least 400 commands, and no command twice", () => {
  expect(entries.length).toBeGreaterThanOrEqual(400);
  expect(new Set(entries.map(({ command }) => command)).size).toBe(entries.length);
});

describe("a rule for ls, cat, grep and find", () => {
  test.each(dangerous)("does not allow $command: $why", ({ command }) => {
    expect(isAllowed(command)).toBe(false);
  });

  test("allows at least 95 % of what these four are used for", () => {
    const uses = benign.filter(({ onlyReads }) => onlyReads);
    const refused = uses.filter(({ command }) => !isAllowed(command)).map(({ command }) => command);
    expect(refused).toEqual([]);
    expect(uses.length).toBeGreaterThan(80);
  });
});

describe("with a default policy that allows everything", () => {
  test.each(dangerous.filter(({ finds }) => finds !== undefined))("$command is found: $why", ({ command, finds = "" }) => {
    const decision = decide(allowing, shellCall(command));
    expect(decision.verdict).not.toBe("allow");
    expect(decision.findings.some(({ detector }) => detector.startsWith(finds))).toBe(true);
  });

  test.each(benign)("$command has no shell danger in it", ({ command }) => {
    expect(findingsOf(command).filter((detector) => /^(shell|floor)\./.test(detector))).toEqual([]);
  });
});
