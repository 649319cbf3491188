import type { KeptContents } from "@/contracts/calls/call-contents";
import type { Decision, Finding, TraceStep } from "@/contracts/decisions/decision";
import type { AnalyzedCall } from "../call/analyzed-call";
import { allDetectors } from "../detectors/all-detectors";
import { changedContents, foreignContents } from "../effects/changed-contents";
import { describeGrant } from "./compile-grants";
import type { CompiledGrant, CompiledGrants } from "./compiled-grants";

type UnversionedDecision = Omit<Decision, "policyVersion" | "policyFile">;

/** Maximum number of trace steps about grants that do not cover the call. */
const maxSteps = 20;

/** The rank of each severity. */
const weights = { info: 0, low: 1, medium: 2, high: 3, critical: 4 } as const satisfies Record<Finding["severity"], number>;

/**
 * Lets a call pass that a grant covers, but only when the verdict is to ask: a denial stays a denial, and a critical
 * finding goes to a person. The narrowest covering grant counts, and the trace names it.
 */
export function applyGrant(judgement: UnversionedDecision, grants: CompiledGrants, call: AnalyzedCall, now: number): UnversionedDecision {
  if (judgement.verdict !== "require_approval") return judgement;
  // A rule that names approvers or a quorum is answered each time, because one person's grant would replace all of them.
  if (judgement.approvers) return judgement;
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

/** Tests whether a grant covers a call with these findings. */
export function tryGrant(
  grant: CompiledGrant,
  call: AnalyzedCall,
  findings: readonly Finding[],
  now: number,
): { result: TraceStep["result"]; why: string } {
  if ((grant.pinHash ?? null) !== (call.tool.pinHash ?? null)) {
    return { result: "not_matched", why: "The grant was made for another definition of the tool, which its MCP server has changed since." };
  }
  const tried = grant.tryOn(call, now);
  if (tried.result !== "matched") return { result: tried.result, why: tried.why() };
  const changes = grant.contents ? contentsAgainst(grant, call.context.contents) : [];
  if (changes.length > 0) {
    return { result: "not_matched", why: `The grant holds for files as they were when it was made. ${changes.join(" ")}` };
  }
  const above = findings.find(({ severity }) => !(weights[severity] <= weights[grant.maxSeverity]));
  if (above) {
    const why = `The grant holds up to the severity ${grant.maxSeverity}, and ${above.detector} found something ${above.severity}.`;
    return { result: "not_matched", why };
  }
  const loading = call.leavesSandbox && grant.kind === "pattern" ? findings.find(namesPrograms) : undefined;
  if (loading) {
    const why = `The call leaves the sandbox, where ${loading.detector} decides which programs run. A grant by a pattern does not cover that.`;
    return { result: "not_matched", why };
  }
  return { result: "matched", why: tried.why() };
}

/** Detectors of what the sandbox confines. Files that run are apart, because a grant holds for their contents. */
const ofPrograms = new Set(
  allDetectors.filter(({ confinedBySandbox, id }) => confinedBySandbox && id !== "shell.written_program").map(({ id }) => id),
);
const namesPrograms = ({ detector, verdict }: Finding): boolean => verdict !== "allow" && ofPrograms.has(detector);

/** Exact arguments run the same files, of which none may have changed; a pattern also covers calls that run fewer of them. */
function contentsAgainst({ kind, contents }: CompiledGrant, now: KeptContents | null | undefined): string[] {
  if (!contents) return [];
  if (now === undefined) return ["The files were not looked at here."];
  return kind === "exact" ? changedContents(contents, now) : foreignContents(contents, now);
}

/** Returns the worst severity among findings; null without findings. */
export function worstSeverity(findings: readonly Finding[]): Finding["severity"] | null {
  const [worst] = findings.toSorted((a, b) => weights[b.severity] - weights[a.severity]);
  return worst?.severity ?? null;
}

function stepOf(grant: CompiledGrant, result: TraceStep["result"], why: string): TraceStep {
  return { ruleId: grant.id, ruleName: describeGrant(grant), result, why };
}
