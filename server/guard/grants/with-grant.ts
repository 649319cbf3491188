import type { Decision, Finding, TraceStep } from "@/contracts/decision";
import type { CallOnTrial } from "../call-on-trial";
import { nameOfGrant } from "./compile-grants";
import type { CompiledGrant, CompiledGrants } from "./compiled-grants";

type Judgement = Omit<Decision, "policyVersion" | "policyFile">;

/** A trace tells of so many grants that do not cover the call. */
const maxSteps = 20;

/** How much worse one severity is than another. */
const weights = { info: 0, low: 1, medium: 2, high: 3, critical: 4 } as const satisfies Record<Finding["severity"], number>;

/**
 * Lets a call pass that somebody approved in advance, where a person would be asked, and nowhere else: what is denied stays
 * denied, and what is critical goes to a person. The narrowest grant that covers the call counts, and the trace tells of it.
 */
export function withGrant(judgement: Judgement, grants: CompiledGrants, call: CallOnTrial, now: number): Judgement {
  if (judgement.verdict !== "require_approval") return judgement;
  const steps: TraceStep[] = [];
  for (const grant of grants.candidatesFor(call.tool.name, call.context)) {
    if (grant.expiresAt !== null && grant.expiresAt <= now) continue;
    const { result, why } = tryGrant(grant, call, judgement.findings, now);
    if (result === "matched") {
      const reason = `Approved in advance by ${grant.grantedBy.name}. ${why} Without that: ${judgement.reason}`;
      const trace = [...judgement.trace, ...steps, stepOf(grant, result, why)];
      return { ...judgement, verdict: "allow", reason, ruleId: null, ruleDigest: null, grantId: grant.id, trace };
    }
    if (steps.length < maxSteps) steps.push(stepOf(grant, result, why));
  }
  return steps.length > 0 ? { ...judgement, trace: [...judgement.trace, ...steps] } : judgement;
}

/** Whether a grant covers a call with these findings. */
export function tryGrant(
  grant: CompiledGrant,
  call: CallOnTrial,
  findings: readonly Finding[],
  now: number,
): { result: TraceStep["result"]; why: string } {
  const tried = grant.tryOn(call, now);
  if (tried.result !== "matched") return { result: tried.result, why: tried.why() };
  const above = findings.find(({ severity }) => !(weights[severity] <= weights[grant.maxSeverity]));
  if (above) {
    const why = `The grant holds up to the severity ${grant.maxSeverity}, and ${above.detector} found something ${above.severity}.`;
    return { result: "not_matched", why };
  }
  return { result: "matched", why: tried.why() };
}

/** The worst severity among findings; null without any. */
export function worstOf(findings: readonly Finding[]): Finding["severity"] | null {
  const [worst] = findings.toSorted((a, b) => weights[b.severity] - weights[a.severity]);
  return worst?.severity ?? null;
}

function stepOf(grant: CompiledGrant, result: TraceStep["result"], why: string): TraceStep {
  return { ruleId: grant.id, ruleName: nameOfGrant(grant), result, why };
}
