import type { GuardRule } from "@/contracts/guard/guard";

/**
 * Describes the position of a rule with this priority. Among rules of equal priority the older one is tried first, so a
 * new rule comes after them.
 */
export function describeRulePosition(
  priority: number,
  rules: readonly Pick<GuardRule, "id" | "priority">[],
  ruleId: string | null,
): string {
  const others = rules.filter(({ id }) => id !== ruleId);
  const before = others.filter((rule) => rule.priority > priority || (rule.priority === priority && (ruleId === null || rule.id < ruleId)));
  if (others.length === 0) return "The only rule";
  if (before.length === 0) return "Tried first";
  return `Tried as number ${before.length + 1} of ${others.length + 1}`;
}
