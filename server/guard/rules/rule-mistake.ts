import type { GuardRuleDraft } from "@/contracts/guard";
import { compilePattern } from "../matching/argument-pattern";
import { toolPatternMistake } from "../matching/tool-pattern";

export type RuleMistake = {
  path: "tool" | "pattern" | "excludePattern";
  /** What is wrong and what to write instead, with the place where it is known. */
  message: string;
};

const parts: Record<RuleMistake["path"], string> = { tool: "tool pattern", pattern: "pattern", excludePattern: "exception" };

/** What is wrong with a rule beyond its shape; null when it can be used. */
export function ruleMistake(rule: Pick<GuardRuleDraft, "tool" | "pattern" | "excludePattern">): RuleMistake | null {
  const tool = toolPatternMistake(rule.tool);
  if (tool) return { path: "tool", message: tool };
  for (const path of ["pattern", "excludePattern"] as const) {
    const compiled = rule[path] === null ? null : compilePattern(rule[path]);
    if (compiled?.ok === false) return { path, message: compiled.error.message };
  }
  return null;
}

/** The mistake as a sentence. */
export function sentenceOfMistake({ path, message }: RuleMistake): string {
  return `The ${parts[path]} cannot be used: ${message}${message.endsWith(".") ? "" : "."}`;
}
