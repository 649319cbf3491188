import type { Decision, Finding, Verdict } from "@/contracts/decision";
import type { AskedCall, GuardedTool } from "./asked-call";
import { beyondLimits } from "./beyond-limits";
import { type CallOnTrial, onTrial } from "./call-on-trial";
import { digestOf, type Policy } from "./compile-policy";
import { findInFloor } from "./floor/find-in-floor";
import { withGrant } from "./grants/with-grant";
import { firstMatch } from "./matching/first-match";
import { withRefusal } from "./refusals/with-refusal";
import { relaxFindings } from "./relax-findings";
import { isTooMuch } from "./shell/reading-budget";
import { strictness } from "./strictness";

export type { AskedCall, GuardedTool } from "./asked-call";

/**
 * What happens to a call: the hard floor first, then the list of denied tools and what agent and caller may
 * do at all, then the strictest of what detectors found
 * and what the first matching rule, or the default policy, says. Where that asks a person, a grant may let the call pass;
 * what was refused in the same conversation is asked about, by whatever way it comes again.
 * Pure: the same policy, call and time give the same decision, with every step that led to it.
 * @param call also one that was looked through already, for those who decide about it more than once
 */
export function decide(policy: Policy, call: AskedCall | CallOnTrial, now: number = Date.now()): Decision {
  try {
    return stamped(policy, decideOrThrow(policy, call, now));
  } catch (error) {
    // No text that a model writes may get past the guard, or stop a turn, by being too much for it.
    return stamped(
      policy,
      denied(isTooMuch(error) ? tooDense : "The guard cannot read this call, so it is denied. Send it in a simpler form."),
    );
  }
}

const tooDense =
  "The command is too long, too dense or nested too deeply to be read with certainty, so it is denied. Split it into several calls with fewer commands each.";

/** Which policy it was. */
function stamped({ version, fileDigest }: Policy, judgement: Judgement): Decision {
  // Nobody else has it yet: written into it, and not into a copy, which costs as much as the rest of a decision.
  const decision = judgement as Decision;
  decision.policyVersion = version;
  if (fileDigest !== null) decision.policyFile = fileDigest.slice(0, 12);
  return decision;
}

type Judgement = Omit<Decision, "policyVersion" | "policyFile">;

function decideOrThrow(policy: Policy, call: AskedCall | CallOnTrial, now: number): Judgement {
  const trial = "scripts" in call ? call : onTrial(call);
  if (trial.scripts.length > 0) {
    const inFloor = trial.scripts.flatMap(findInFloor);
    const [floor] = inFloor;
    if (floor) return { ...denied(floor.message), findings: inFloor };
  }
  const deniedBy = policy.deniedBy(call.tool);
  // The list means never: it holds with the guard switched off, too.
  if (deniedBy !== null)
    return denied(`${call.tool.name} is on the list of denied tools${deniedBy === call.tool.name ? "" : ` (${deniedBy})`}.`);
  const beyond = beyondLimits(call);
  if (beyond) return denied(beyond);
  if (!policy.config.enabled) return { ...byDefault("allow", "The guard is switched off.", "off"), findings: [], trace: [] };
  const detected = policy.detect(trial);
  const { rule, trace } = firstMatch(policy.rulesFor(trial.tool), trial, now);
  const relaxed = rule && rule.relaxes.length > 0 ? relaxFindings(rule, detected, trial, now) : null;
  if (relaxed) trace.push(...relaxed.steps);
  const { findings, failed } = relaxed ?? detected;
  const byRule = rule
    ? { verdict: rule.verdict, reason: rule.reasonFor(call.tool), ruleId: rule.id, ruleDigest: rule.digest() }
    : defaultDecision(policy, call.tool);
  const { verdict, reason, ruleId, ruleDigest } = findings.length > 0 ? withFindings(byRule, findings) : byRule;
  const judged: Judgement = {
    verdict,
    reason,
    ruleId,
    ruleDigest,
    findings: findings.slice(),
    trace: failed.length > 0 ? [...failed, ...trace] : trace,
  };
  return withRefusal(withGrant(judged, policy.grants, trial, now), policy, trial);
}

function denied(reason: string): Judgement {
  return { verdict: "deny", reason, ruleId: null, ruleDigest: null, findings: [], trace: [] };
}

/**
 * The stricter of what rules say and what was found. A finding decides over a rule that is milder, and over the default
 * policy, which has less to say, also when that is as strict. The digest is then that of everything that asks for the
 * verdict, as a person was shown it: an approval does not hold for what was found only later.
 */
function withFindings(byRule: Ruling, findings: readonly Finding[]): Ruling {
  const verdict = findings.reduce((strictest, finding) => stricter(strictest, finding.verdict), byRule.verdict);
  const deciding = verdict === "allow" ? [] : findings.filter((finding) => finding.verdict === verdict);
  const [first] = deciding;
  if (!first) return byRule;
  const ruleAgrees = byRule.verdict === verdict;
  const shown = deciding.map(({ detector, severity, message, excerpt }) => ({ detector, severity, message, excerpt }));
  const ruleDigest = digestOf({ verdict, rule: ruleAgrees ? byRule.ruleDigest : null, findings: shown });
  if (ruleAgrees && byRule.ruleId !== null) return { ...byRule, ruleDigest };
  const more = deciding.length > 1 ? ` It was found to be dangerous in ${deciding.length} ways.` : "";
  return { verdict, reason: `${first.message} ${first.fix} (${first.detector})${more}`, ruleId: null, ruleDigest };
}

function stricter(a: Verdict, b: Verdict): Verdict {
  return strictness[b] > strictness[a] ? b : a;
}

/** What a rule, the default policy or a finding says. */
type Ruling = Pick<Decision, "verdict" | "reason" | "ruleId" | "ruleDigest">;

function byDefault(verdict: Verdict, reason: string, ...content: string[]): Ruling {
  const key = content.join(" ");
  const ruleDigest = defaultDigests.get(key) ?? digestOf(content);
  defaultDigests.set(key, ruleDigest);
  return { verdict, reason, ruleId: null, ruleDigest };
}

/** Digests of default policies, of which there are a handful: most calls are decided by one. */
const defaultDigests = new Map<string, string>();

function defaultDecision({ config: { defaultPolicy } }: Policy, { name, effect }: GuardedTool): Ruling {
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
