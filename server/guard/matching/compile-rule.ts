import { hash } from "node:crypto";
import type { Verdict } from "@/contracts/decisions/decision";
import { commandToolNames } from "@/contracts/generated-tools";
import type { GuardRule, GuardRuleDraft } from "@/contracts/guard/guard";
import { actionOfSubject, type CallAction } from "@/contracts/guard/rule-subjects";
import { canonicalJson } from "@/contracts/lib/canonical-json";
import type { GuardedTool } from "../call/guard-request";
import { allDetectors } from "../detectors/all-detectors";
import type { Detector } from "../detectors/detector";
import { memoizeLast } from "../memoize-last";
import { type CompiledPattern, compileLazily } from "./argument-pattern";
import { type ContextTest, compileContext } from "./match-context";
import { compileToolPattern } from "./tool-pattern";

/** The part of a guard rule that the guard needs. */
export type RuleContent = GuardRuleDraft & Pick<GuardRule, "id">;

export type CompiledRule = Omit<RuleContent, "pattern" | "excludePattern" | "context" | "enabled" | "expiresAt" | "relaxes" | "reason"> & {
  /** Milliseconds since 1970; null never. */
  expiresAt: number | null;
  covers: (tool: GuardedTool) => boolean;
  /** The action that the rule is about; null for a rule about tools. */
  action: CallAction | null;
  /** The rule denies or asks about a command of one tool, and holds for the commands of every other tool, too. */
  holdsElsewhere: boolean;
  /** Compiled on first use; null when every call of the tool matches. */
  pattern: () => CompiledPattern | null;
  /** The exception's pattern, compiled on first use; null without an exception. */
  exclude: () => CompiledPattern | null;
  /** Null when the rule holds for every context. */
  context: ContextTest | null;
  /** Detectors whose findings do not count for calls that this rule decides. */
  relaxes: readonly Detector[];
  /** Builds the reason of a decision by this rule. */
  reasonFor: (tool: GuardedTool) => string;
  /** SHA-256 of the rule's meaning, without its position, its name and its on/off switch. */
  digest: () => string;
};

/** Compares rules by priority, highest first; of equal priorities, the older rule comes first. */
export function compareRuleOrder(a: Pick<RuleContent, "id" | "priority">, b: Pick<RuleContent, "id" | "priority">): number {
  return b.priority - a.priority || (a.id < b.id ? -1 : 1);
}

/**
 * Returns whether a rule about a tool's commands holds for the commands of other tools, too: the same command runs in
 * other tools that run commands, so a rule that denies it in one tool would hold for nobody who knows the others.
 */
export function holdsElsewhere({
  tool,
  verdict,
  pattern,
  parameter,
  comparisons,
}: Pick<RuleContent, "tool" | "verdict" | "pattern" | "parameter" | "comparisons">): boolean {
  const isAboutCommand = parameter === null || /^\/?(?:command|code)$/.test(parameter);
  return verdict !== "allow" && pattern !== null && isAboutCommand && comparisons.length === 0 && commandToolNames.includes(tool);
}

export function compileRule({ enabled, expiresAt, pattern, excludePattern, context, relaxes, reason, ...rule }: RuleContent): CompiledRule {
  const { id, name, tool, parameter, comparisons, verdict, approvers } = rule;
  let digest: string | null = null;
  const relaxed = relaxes.length === 0 ? noDetectors : allDetectors.filter(({ id, relaxable }) => relaxable && relaxes.includes(id));
  return {
    ...rule,
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    covers: compileToolPattern(tool),
    action: actionOfSubject(tool),
    holdsElsewhere: holdsElsewhere({ tool, verdict, pattern, parameter, comparisons }),
    pattern: compiledOnce(pattern),
    exclude: compiledOnce(excludePattern),
    context: context && compileContext(context),
    relaxes: relaxed,
    // Memoized, because consecutive calls often use the same tool.
    reasonFor: memoizeLast((tool) => reason || `Rule "${name}" ${does[verdict]} this call of ${tool.name}.`),
    digest: () => {
      if (digest !== null) return digest;
      // Absent conditions are omitted, so that a digest stays the same when rules gain new kinds of conditions.
      const asks = {
        ...(excludePattern === null ? {} : { excludePattern }),
        ...(comparisons.length === 0 ? {} : { comparisons }),
        ...(context === null ? {} : { context }),
        ...(approvers === null ? {} : { approvers }),
        ...(relaxed.length === 0 ? {} : { relaxes: relaxed.map((detector) => detector.id) }),
      };
      digest = computeDigest({ id, tool, parameter, pattern, verdict, reason, ...asks });
      return digest;
    },
  };
}

const does: Record<Verdict, string> = { allow: "allows", deny: "denies", require_approval: "requires approval for" };

const noDetectors: readonly Detector[] = [];

function compiledOnce(pattern: string | null): () => CompiledPattern | null {
  let compiled: CompiledPattern | null = null;
  return () => {
    if (pattern !== null) compiled ??= compileLazily(pattern);
    return compiled;
  };
}

/** Computes the SHA-256 of a content; equal contents have equal digests. */
export function computeDigest(content: unknown): string {
  return hash("sha256", canonicalJson(content));
}
