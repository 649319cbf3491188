import type { EarlierDecision, GuardRule } from "@/contracts/guard/guard";

type Earlier = Pick<GuardRule, "id" | "tool" | "pattern" | "excludePattern" | "comparisons" | "context">;

/**
 * Says why a rule is never reached: "Never reached: rule 3 decides every write_file before it".
 * @param rules all rules in their order
 */
export function describeReach(tool: string, because: EarlierDecision, rules: readonly Earlier[]): string {
  if (because.ruleId === null) return `Never reached: ${because.name} is on the list of denied tools`;
  const place = rules.findIndex(({ id }) => id === because.ruleId);
  const earlier = rules[place];
  const name = earlier ? `rule ${place + 1}` : `the rule “${because.name}”`;
  const asksNothing =
    earlier?.pattern === null && earlier.excludePattern === null && earlier.comparisons.length === 0 && earlier.context === null;
  return `Never reached: ${name} decides ${asksNothing ? everyCall(tool) : "the same calls"} before it`;
}

function everyCall(tool: string): string {
  if (tool === "*") return "every call";
  return /[*?:]/.test(tool) ? "every such call" : `every ${tool}`;
}
