import type { GuardRuleDraft } from "@/contracts/guard";
import { allDetectors } from "../detectors/all-detectors";
import { compilePattern } from "../matching/argument-pattern";
import { toolPatternMistake } from "../matching/tool-pattern";

export type RuleMistake = {
  path: "tool" | "pattern" | "excludePattern" | `relaxes.${number}`;
  /** What is wrong and what to write instead, with the place where it is known. */
  message: string;
};

const parts = { tool: "tool pattern", pattern: "pattern", excludePattern: "exception" } as const;

/** Instructions that the patterns of several rules may still have together: each takes its time to be made. */
export type PatternRoom = { instructions: number };

/** What is wrong with a rule beyond its shape; null when it can be used. */
export function ruleMistake(
  rule: Pick<GuardRuleDraft, "tool" | "pattern" | "excludePattern" | "relaxes">,
  room?: PatternRoom,
): RuleMistake | null {
  const tool = toolPatternMistake(rule.tool);
  if (tool) return { path: "tool", message: tool };
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
  return null;
}

/** What is misspelt would relax nothing, which nobody would notice before a call is refused. */
function relaxMistake(id: string): string | null {
  if (id.startsWith("floor.")) return `${id} belongs to the hard floor, which nothing relaxes`;
  const detector = allDetectors.find((known) => known.id === id);
  if (!detector) return `there is no detector ${id}. GET /api/v1/guard/detectors lists them`;
  return detector.relaxable ? null : `the detector ${id} may not be relaxed`;
}

/** The mistake as a sentence. */
export function sentenceOfMistake({ path, message }: RuleMistake): string {
  const part = path === "tool" || path === "pattern" || path === "excludePattern" ? parts[path] : "list of relaxed detectors";
  return `The ${part} cannot be used: ${message}${message.endsWith(".") ? "" : "."}`;
}
