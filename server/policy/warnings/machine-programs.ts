import type { GuardRuleDraft } from "@/contracts/guard/guard";
import { actionOfSubject, type RuleWarning } from "@/contracts/guard/rule-subjects";
import { analyzeCallIfReadable } from "@/server/guard/call/analyzed-call";
import type { GuardedTool } from "@/server/guard/call/guard-request";
import { runsCommands } from "@/server/guard/call/tool-facts";
import { type TakenMachine, takenMachine } from "@/server/guard/effects/taken-machine";
import { type CompiledRule, compileRule } from "@/server/guard/matching/compile-rule";
import { evaluateRule } from "@/server/guard/matching/evaluate-rule";
import { compileToolPattern } from "@/server/guard/matching/tool-pattern";

/** The part of a rule that is warned about. */
export type WarnedRule = Pick<GuardRuleDraft, "tool" | "parameter" | "pattern" | "excludePattern" | "comparisons" | "verdict">;

const unknownProgram = "no-such-program";
const whose: Record<TakenMachine, string> = {
  this: "This is the machine's root.",
  another: "This is another machine's root.",
};
const does: Record<TakenMachine, string> = {
  this: "acts outside of the sandbox",
  another: "runs commands on other machines",
};

/** Returns the warning about an allow rule that leaves the arguments of a program free which has a machine in its hands. */
export function machineProgramWarning(draft: WarnedRule, tools: readonly GuardedTool[]): RuleWarning | null {
  if (draft.verdict !== "allow" || draft.comparisons.length > 0) return null;
  const covers = compileToolPattern(draft.tool);
  const tool = tools.find((one) => runsCommands(one) && one.primaryArgument === "command" && (covers(one) || actionOfSubject(draft.tool)));
  if (!tool) return null;
  const rule = compileRule({ ...draft, ...unconditional });
  const allows = (name: string) => [`${name} x`, `${name} x x`].every((command) => matches(rule, tool, command));
  if (allows(unknownProgram)) {
    return warning("This is the machine's root. The rule allows every program, docker, sudo and ssh included.", draft);
  }
  for (const name of programNames(draft.pattern ?? "")) {
    const machine = takenMachine(name);
    if (machine === null || !allows(name)) continue;
    return warning(`${whose[machine]} The rule allows every use of ${name}, which ${does[machine]}.`, draft);
  }
  return null;
}

const stillAsking = "Only detectors that it does not relax still ask.";

function warning(what: string, { pattern, tool }: WarnedRule): RuleWarning {
  const way =
    pattern === null
      ? `Give ${tool} a pattern with the programs that are meant.`
      : "Write into the pattern what may follow: a subcommand, or a program and a host.";
  return {
    kind: "machine_program",
    field: pattern === null ? "tool" : "pattern",
    message: `${what} ${stillAsking} ${way}`,
    doors: [],
    instead: null,
  };
}

const unconditional = {
  id: "draft",
  name: "",
  context: null,
  expiresAt: null,
  priority: 0,
  enabled: true,
  reason: "",
  relaxes: [],
  approvers: null,
};

function matches(rule: CompiledRule, tool: GuardedTool, command: string): boolean {
  const call = analyzeCallIfReadable({ tool, arguments: { command }, context: { interactive: true } });
  return call !== null && evaluateRule(rule, call, 0).result === "matched";
}

/** Returns the words of a pattern that may name a program: `docker` and `podman` of `^(?:docker|podman)(?: |$)`. */
const programNames = (pattern: string): Set<string> => new Set(pattern.replaceAll(/\\(?=[^A-Za-z0-9])/g, "").match(/[A-Za-z][\w.+-]*/g));
