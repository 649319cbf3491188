import type { RuleStart } from "@/contracts/guard/guard";
import type { RuleForm } from "./rule-draft";

const maxNameChars = 120;
const maxPatternChars = 1_000;

/**
 * Returns initial values for a rule about calls like this one: its closed pattern when there is one, otherwise exactly
 * this call. `allow` if the call requires approval, otherwise `require_approval`. A call that no pattern can hold gets no
 * pattern and never `allow`, because the rule would allow every call.
 */
export function ruleFromCall({
  tool,
  seen,
  verdict,
  pattern: closed = null,
}: Omit<RuleStart, "pattern"> & Partial<RuleStart>): Partial<RuleForm> {
  const name = seen === null ? tool : `${tool}: ${seen.replaceAll(/\s+/g, " ")}`;
  const pattern = closed ?? (seen === null ? null : exactly(seen));
  const isUsable = pattern !== null && pattern.length <= maxPatternChars;
  return {
    name: name.length > maxNameChars ? `${name.slice(0, maxNameChars - 1)}…` : name,
    tool,
    pattern: isUsable ? pattern : "",
    verdict: isUsable && verdict === "require_approval" ? "allow" : "require_approval",
  };
}

const exactly = (text: string) => `^${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("\n", "\\n")}$`;
