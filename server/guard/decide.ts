import type { Decision, Finding, Verdict } from "@/contracts/decisions/decision";
import { type AnalyzedCall, analyzeCall } from "./call/analyzed-call";
import type { GuardRequest } from "./call/guard-request";
import { explainSplit } from "./call/split-commands";
import { checkCallerLimits } from "./check-caller-limits";
import type { Policy } from "./compile-policy";
import { defaultVerdict, fixedVerdict, type VerdictWithReason } from "./default-policy";
import { checkHardFloor } from "./floor/check-hard-floor";
import { applyGrant } from "./grants/apply-grant";
import { computeDigest } from "./matching/compile-rule";
import { firstMatch } from "./matching/first-match";
import { applyEarlierRefusal } from "./refusals/apply-earlier-refusal";
import { relaxFindings } from "./relax-findings";
import { applyRepositoryPolicy } from "./repository/apply-repository-policy";
import { isTooMuch } from "./script/reading-budget";
import { strictness } from "./strictness";

export type { GuardedTool, GuardRequest } from "./call/guard-request";

/**
 * Decides a call: the hard floor first, then denied tools and the caller's limits, then the stricter of detectors and the
 * first matching rule or the default policy, then what the policy file of the call's repository makes stricter. A grant lets a call pass that would be asked about; a call that repeats
 * something refused in this conversation is asked about, even when it is phrased differently.
 * Pure: the same policy, call and time give the same decision, with every step that led to it.
 * @param call a request, or an already analyzed call from a caller that decides it more than once
 */
export function decide(policy: Policy, call: GuardRequest | AnalyzedCall, now: number = Date.now()): Decision {
  try {
    return withPolicyVersion(policy, decideOrThrow(policy, call, now));
  } catch (error) {
    // Text that is too much to read must neither bypass the guard nor stop the turn, so the call is denied.
    return withPolicyVersion(
      policy,
      denied(isTooMuch(error) ? tooDense : "The guard cannot read this call, so it is denied. Send it in a simpler form."),
    );
  }
}

const tooDense =
  "The command is too long, too dense or nested too deeply to be read with certainty, so it is denied. Split it into several calls with fewer commands each.";

/** Adds the policy's version to a decision. */
function withPolicyVersion({ version, fileDigest }: Policy, judgement: UnversionedDecision): Decision {
  // Mutates in place: the object is not shared yet, and copying it would double the cost of a decision.
  const decision = judgement as Decision;
  decision.policyVersion = version;
  if (fileDigest !== null) decision.policyFile = fileDigest.slice(0, 12);
  return decision;
}

type UnversionedDecision = Omit<Decision, "policyVersion" | "policyFile">;

function decideOrThrow(policy: Policy, call: GuardRequest | AnalyzedCall, now: number): UnversionedDecision {
  const analyzed = "scripts" in call && call.sensitivePaths === policy.sensitivePaths ? call : analyzeCall(call, policy.sensitivePaths);
  if (analyzed.scripts.length > 0 || analyzed.code) {
    const inFloor = [...analyzed.scripts, ...(analyzed.code?.scripts ?? [])].flatMap((reading) =>
      checkHardFloor(reading, call.context.machine?.home),
    );
    const [floor] = inFloor;
    if (floor) return { ...denied(floor.message), findings: inFloor, ...decisionEffects(analyzed) };
  }
  const deniedBy = policy.deniedBy(call.tool);
  // The list of denied tools applies even when the guard is switched off.
  if (deniedBy !== null)
    return denied(`${call.tool.name} is on the list of denied tools${deniedBy === call.tool.name ? "" : ` (${deniedBy})`}.`);
  const beyond = checkCallerLimits(call);
  if (beyond) return denied(beyond);
  // The guard may be off while the sandbox is on, which a command line that mixes would leave as a whole.
  const split = explainSplit(analyzed);
  if (split) return { ...denied(split.reason), split: [...split.commands], ...decisionEffects(analyzed) };
  if (!policy.config.enabled)
    return { ...fixedVerdict("allow", "The guard is switched off.", "off"), findings: [], trace: [], ...decisionEffects(analyzed) };
  const detected = policy.detect(analyzed);
  const { rule, trace } = firstMatch(policy.rulesForCall(analyzed), analyzed, now);
  const relaxed = rule && rule.relaxes.length > 0 ? relaxFindings(rule, detected, analyzed, now) : null;
  if (relaxed) trace.push(...relaxed.steps);
  const { findings, failed } = relaxed ?? detected;
  const byRule = rule
    ? { verdict: rule.verdict, reason: rule.reasonFor(call.tool), ruleId: rule.id, ruleDigest: rule.digest() }
    : defaultVerdict(policy, analyzed);
  const { verdict, reason, ruleId, ruleDigest } = findings.length > 0 ? withFindings(byRule, findings) : byRule;
  const judged: UnversionedDecision = {
    verdict,
    reason,
    ruleId,
    ruleDigest,
    findings: findings.slice(),
    trace: failed.length > 0 ? [...failed, ...trace] : trace,
    ...(rule || verdict !== "require_approval" || findings.length > 0 ? {} : unconfirmedServer(policy, call.tool)),
    ...(rule?.approvers && verdict === "require_approval" && ruleId === rule.id ? { approvers: rule.approvers } : {}),
    ...decisionEffects(analyzed),
  };
  return applyEarlierRefusal(applyGrant(applyRepositoryPolicy(judged, analyzed, now), policy.grants, analyzed, now), analyzed);
}

/** At most this many effects are stored with a decision, the most serious first. */
const maxEffects = 30;

function decisionEffects({
  effects,
  shell,
  context,
  leavesSandbox,
}: AnalyzedCall): Pick<UnversionedDecision, "effects" | "sandboxed" | "runsOutside"> {
  const carried = effects.slice(0, maxEffects);
  const outside = leavesSandbox ? { runsOutside: context.describeOutside?.() ?? { user: null, home: null } } : {};
  return shell === null
    ? { effects: carried, ...outside }
    : { effects: carried, sandboxed: leavesSandbox || context.sandboxed === true, ...outside };
}

/** Names the server of a tool that only its unconfirmed effect makes ask. */
function unconfirmedServer({ config }: Policy, { source, sourceRef, effectOverride = null }: GuardRequest["tool"]) {
  const isUnconfirmed = config.defaultPolicy === "by_effect" && source === "mcp" && effectOverride === null;
  return isUnconfirmed && sourceRef !== null ? { unconfirmedServerId: sourceRef } : {};
}

function denied(reason: string): UnversionedDecision {
  return { verdict: "deny", reason, ruleId: null, ruleDigest: null, findings: [], trace: [] };
}

/**
 * Combines the rule's verdict with the findings; the stricter one wins. A finding also wins over an equally strict
 * default policy, because the finding says more. The digest covers everything that asks for the verdict, as a person
 * saw it, so that an approval does not cover a finding made later.
 */
function withFindings(byRule: VerdictWithReason, findings: readonly Finding[]): VerdictWithReason {
  const verdict = findings.reduce((strictest, finding) => stricter(strictest, finding.verdict), byRule.verdict);
  const deciding = verdict === "allow" ? [] : findings.filter((finding) => finding.verdict === verdict);
  const [first] = deciding;
  if (!first) return byRule;
  const ruleAgrees = byRule.verdict === verdict;
  const shown = deciding.map(({ detector, severity, message, excerpt }) => ({ detector, severity, message, excerpt }));
  const ruleDigest = computeDigest({ verdict, rule: ruleAgrees ? byRule.ruleDigest : null, findings: shown });
  if (ruleAgrees && byRule.ruleId !== null) return { ...byRule, ruleDigest };
  const more = deciding.length > 1 ? ` It was found to be dangerous in ${deciding.length} ways.` : "";
  return { verdict, reason: `${first.message} ${first.fix} (${first.detector})${more}`, ruleId: null, ruleDigest };
}

function stricter(a: Verdict, b: Verdict): Verdict {
  return strictness[b] > strictness[a] ? b : a;
}
