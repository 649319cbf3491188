import type { GuardRule } from "@/contracts/guard";

/**
 * Where a rule of this priority stands among the others, in words. Among rules of the same priority an older one is tried
 * first, so a new one comes after them.
 */
export function placeOf(priority: number, rules: readonly Pick<GuardRule, "id" | "priority">[], ruleId: string | null): string {
  const others = rules.filter(({ id }) => id !== ruleId);
  const before = others.filter((rule) => rule.priority > priority || (rule.priority === priority && (ruleId === null || rule.id < ruleId)));
  if (others.length === 0) return "The only rule";
  if (before.length === 0) return "Tried first";
  return `Tried as number ${before.length + 1} of ${others.length + 1}`;
}
