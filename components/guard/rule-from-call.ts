import type { Evaluation } from "@/contracts/guard";
import type { RuleForm } from "./rule-draft";

const longestName = 120;
const longestPattern = 1_000;

/**
 * Returns initial values for a rule about exactly this call: `allow` if the call requires approval, otherwise
 * `require_approval`. A call that no pattern can hold gets no pattern and never `allow`, because the rule would allow every call.
 */
export function ruleFromCall({ tool, seen, verdict }: Pick<Evaluation, "tool" | "seen" | "verdict">): Partial<RuleForm> {
  const name = `${tool}: ${seen.replaceAll(/\s+/g, " ")}`;
  const pattern = `^${seen.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("\n", "\\n")}$`;
  const isExact = pattern.length <= longestPattern;
  return {
    name: name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name,
    tool,
    pattern: isExact ? pattern : "",
    verdict: isExact && verdict === "require_approval" ? "allow" : "require_approval",
  };
}
