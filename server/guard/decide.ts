import type { Decision, TraceStep, Verdict } from "@/contracts/guard";
import type { AskedCall, GuardedTool } from "./asked-call";
import { type CallOnTrial, onTrial } from "./call-on-trial";
import { type CompiledRule, digestOf, type Policy } from "./compile-policy";
import { findInFloor } from "./floor/find-in-floor";
import { tryRule } from "./try-rule";

export type { AskedCall, GuardedTool } from "./asked-call";

/** A trace stays readable and small enough to be stored with every call; the deciding rule is always in it. */
const maxTraceSteps = 100;

/**
 * What happens to a call: the hard floor first, then the first rule that matches, then the default policy. Pure: the
 * same policy, call and time give the same decision, with every step that led to it.
 */
export function decide(policy: Policy, call: AskedCall, now: number = Date.now()): Decision {
  try {
    return decideOrThrow(policy, call, now);
  } catch {
    // No text that a model writes may get past the guard, or stop a turn, by being too much for it.
    const reason = "The guard cannot read this call, so it is denied. Send it in a simpler form.";
    return { verdict: "deny", reason, ruleId: null, ruleDigest: null, findings: [], trace: [], policyVersion: policy.version };
  }
}

function decideOrThrow(policy: Policy, call: AskedCall, now: number): Decision {
  // Detectors beyond the floor add their findings here; the strictest verdict of findings and rules then counts.
  const trial = onTrial(call);
  const findings = trial.scripts.flatMap(findInFloor);
  const { version: policyVersion } = policy;
  const [floor] = findings;
  if (floor) {
    return { verdict: "deny", reason: floor.message, ruleId: null, ruleDigest: null, findings, trace: [], policyVersion };
  }
  if (!policy.config.enabled) {
    return { ...byDefault("allow", "The guard is switched off.", "off"), findings, trace: [], policyVersion };
  }
  const { rule, trace } = firstMatch(policy, trial, now);
  return rule
    ? { verdict: rule.verdict, reason: reasonOf(rule, call.tool), ruleId: rule.id, ruleDigest: rule.digest, findings, trace, policyVersion }
    : { ...defaultDecision(policy, call.tool), findings, trace, policyVersion };
}

/** Tries the rules for the call's tool in order, up to the first that decides. */
function firstMatch(policy: Policy, call: CallOnTrial, now: number): { rule: CompiledRule | null; trace: TraceStep[] } {
  const trace: TraceStep[] = [];
  for (const rule of policy.rulesFor(call.tool)) {
    if (rule.expiresAt !== null && rule.expiresAt <= now) continue;
    const { result, why, decides } = tryRule(rule, call);
    if (decides || trace.length < maxTraceSteps - 1) trace.push({ ruleId: rule.id, ruleName: rule.name, result, why });
    if (decides) return { rule, trace };
  }
  return { rule: null, trace };
}

function reasonOf({ reason, name, verdict }: CompiledRule, tool: GuardedTool): string {
  if (reason) return reason;
  const does: Record<Verdict, string> = { allow: "allows", deny: "denies", require_approval: "asks a person about" };
  return `The rule "${name}" ${does[verdict]} this call of ${tool.name}.`;
}

type DefaultDecision = Pick<Decision, "verdict" | "reason" | "ruleId" | "ruleDigest">;

function byDefault(verdict: Verdict, reason: string, ...content: string[]): DefaultDecision {
  const key = content.join(" ");
  const ruleDigest = defaultDigests.get(key) ?? digestOf(content);
  defaultDigests.set(key, ruleDigest);
  return { verdict, reason, ruleId: null, ruleDigest };
}

/** Digests of default policies, of which there are a handful: most calls are decided by one. */
const defaultDigests = new Map<string, string>();

function defaultDecision({ config: { defaultPolicy } }: Policy, { name, effect }: GuardedTool): DefaultDecision {
  switch (defaultPolicy) {
    case "allow":
      return byDefault("allow", "No rule matches, and the default policy allows.", defaultPolicy);
    case "deny":
      return byDefault("deny", "No rule matches, and the default policy denies.", defaultPolicy);
    case "require_approval":
      return byDefault("require_approval", "No rule matches, and the default policy asks a person.", defaultPolicy);
    case "by_effect":
      return effect === "read"
        ? byDefault("allow", `No rule matches, and ${name} only reads.`, defaultPolicy, effect)
        : byDefault("require_approval", `No rule matches, and ${name} can ${change(effect)}.`, defaultPolicy, effect);
  }
}

function change(effect: "write" | "destroy"): string {
  return effect === "destroy" ? "change or destroy things" : "change things";
}
