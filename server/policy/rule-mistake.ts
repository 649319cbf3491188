import type { GuardRuleDraft } from "@/contracts/guard/guard";
import { actionOfSubject, actionTexts } from "@/contracts/guard/rule-subjects";
import { allDetectors } from "@/server/guard/detectors/all-detectors";
import { compilePattern } from "@/server/guard/matching/argument-pattern";
import { toolPatternMistake } from "@/server/guard/matching/tool-pattern";

export type RuleMistake = {
  path: "tool" | "pattern" | "excludePattern" | "approvers" | "parameter" | `relaxes.${number}`;
  /** Part of a sentence that explains the mistake and the remedy, with the position if known. */
  message: string;
};

const parts = {
  tool: "tool pattern",
  pattern: "pattern",
  excludePattern: "exception",
  approvers: "list of approvers",
  parameter: "parameter",
} as const;

/** Remaining instructions for the patterns of several rules, limited because compiling each instruction takes time. */
export type PatternRoom = { instructions: number };

/** Returns the first mistake of a rule that its schema does not catch; null for a usable rule. */
export function ruleMistake(
  rule: Pick<GuardRuleDraft, "tool" | "parameter" | "pattern" | "excludePattern" | "relaxes" | "approvers" | "verdict">,
  room?: PatternRoom,
): RuleMistake | null {
  const tool = toolPatternMistake(rule.tool, { forRule: true });
  if (tool) return { path: "tool", message: tool };
  const action = actionOfSubject(rule.tool);
  if (action && rule.parameter !== null) {
    const message = `leave it out, because the pattern of a rule about what a call does sees ${actionTexts[action]}`;
    return { path: "parameter", message };
  }
  for (const path of ["pattern", "excludePattern"] as const) {
    const compiled = rule[path] === null ? null : compilePattern(rule[path]);
    if (compiled?.ok === false) return { path, message: compiled.error.message };
    if (!room) continue;
    room.instructions -= compiled?.size ?? 0;
    if (room.instructions < 0) {
      return {
        path,
        message: "the patterns up to here are too large together; let their repetitions count to less, or have fewer of them",
      };
    }
  }
  for (const [place, id] of rule.relaxes.entries()) {
    const message = relaxMistake(id);
    if (message) return { path: `relaxes.${place}`, message };
  }
  if (rule.approvers && rule.verdict !== "require_approval") {
    return { path: "approvers", message: "only a rule that asks has approvers. Set its verdict to require_approval, or leave them out" };
  }
  return null;
}

/** Checks an id in `relaxes`, because a misspelt id would relax nothing and only a refused call would show it. */
function relaxMistake(id: string): string | null {
  if (id.startsWith("floor.")) return `${id} belongs to the hard floor, which nothing relaxes`;
  const detector = allDetectors.find((known) => known.id === id);
  if (!detector) return `there is no detector ${id}. GET /api/v1/guard/detectors lists them`;
  return detector.relaxable ? null : `the detector ${id} may not be relaxed`;
}

/** Returns a mistake as a sentence. */
export function describeRuleMistake({ path, message }: RuleMistake): string {
  const part = path in parts ? parts[path as keyof typeof parts] : "list of relaxed detectors";
  return `The ${part} cannot be used: ${message}${message.endsWith(".") ? "" : "."}`;
}
