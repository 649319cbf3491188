import { describe, expect, test } from "vitest";
import { decide } from "@/server/guard/decide";
import { wantedOpenings } from "@/server/guard/effects/openings";
import { policyOfRules, shellCall } from "@/server/testing/guard/guarded-calls";
import { corpus } from "./corpus";

const readsOnly = "^(ls|cat|grep|find)\\b";
const entries = corpus.flatMap(({ commands, ...group }) => commands.map((command) => ({ ...group, command })));
const dangerous = entries.filter(({ kind }) => kind === "dangerous");
const benign = entries.filter(({ kind }) => kind === "benign");
const allowing = policyOfRules([], { defaultPolicy: "allow" });

const reading = policyOfRules([{ tool: "shell_execute", pattern: readsOnly }], { defaultPolicy: "require_approval" });

/** Returns whether the rule for ls, cat, grep and find allows a command without the sandbox. */
const isAllowed = (command: string) => decide(reading, shellCall(command)).verdict === "allow";

/** Returns the findings that are more than a note in the sandbox. */
const decidingFindings = (command: string) => {
  const call = shellCall(command);
  const { findings } = decide(allowing, { ...call, context: { ...call.context, sandboxed: true } });
  return findings.flatMap(({ detector, verdict }) => (verdict === "allow" ? [] : [detector]));
};

/** Returns whether a command needs the machine. */
const leavesSandbox = (command: string) => wantedOpenings(decide(allowing, shellCall(command)).effects ?? []).host;

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

  // A call that leaves the sandbox is judged as if there were none.
  test.each(benign.filter(({ command }) => !leavesSandbox(command)))("$command needs no person in the sandbox", ({ command }) => {
    expect(decidingFindings(command).filter((detector) => /^(shell|floor)\./.test(detector))).toEqual([]);
  });
});
