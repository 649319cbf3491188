import type { Decision, TraceStep } from "@/contracts/decisions/decision";
import type { AnalyzedCall } from "../call/analyzed-call";
import type { RepositoryPolicy } from "../call/guard-request";
import { ruleLookup } from "../compile-policy";
import { type CompiledRule, compileRule, computeDigest } from "../matching/compile-rule";
import { firstMatch } from "../matching/first-match";
import { strictness } from "../strictness";

type UnversionedDecision = Omit<Decision, "policyVersion" | "policyFile">;

/** Name of the policy file of a repository, which only makes decisions stricter. */
export const repositoryPolicyName = ".handrail.yaml";

/**
 * Makes a decision about a client's call stricter by the policy file of the repository in which the client works. A file
 * that cannot be used asks about every call that changes something, and a change of the file itself asks, too.
 */
export function applyRepositoryPolicy(judged: UnversionedDecision, call: AnalyzedCall, now: number): UnversionedDecision {
  const { machine, repositoryPolicy } = call.context;
  if (!machine || judged.verdict === "deny") return judged;
  const found = repositoryPolicy && firstMatch(lookupOf(repositoryPolicy).rulesForCall(call), call, now);
  const rule = found?.rule ?? null;
  const trace = [...judged.trace, ...(found?.trace.map(ofRepository) ?? [])];
  if (rule && strictness[rule.verdict] > strictness[judged.verdict]) {
    return {
      ...judged,
      verdict: rule.verdict,
      reason: `${rule.reasonFor(call.tool)} ${byFile}`,
      ruleId: rule.id,
      ruleDigest: rule.digest(),
      trace,
    };
  }
  const why = judged.verdict === "allow" ? whyAsked(repositoryPolicy, call) : null;
  if (why === null) return { ...judged, trace };
  return { ...judged, verdict: "require_approval", reason: why, ruleId: null, ruleDigest: computeDigest({ repositoryPolicy: why }), trace };
}

const byFile = `(${repositoryPolicyName} of the repository)`;

const ofRepository = (step: TraceStep): TraceStep => ({ ...step, ruleName: `${step.ruleName} ${byFile}` });

function whyAsked(policy: RepositoryPolicy | undefined, { effects }: AnalyzedCall): string | null {
  const changed = effects.filter(({ kind }) => kind !== "read");
  if (changed.some(({ target }) => target.path?.split("/").at(-1) === repositoryPolicyName)) {
    return `The call changes ${repositoryPolicyName}, which makes the guard stricter in this repository.`;
  }
  const isReading = effects.length > 0 && changed.length === 0;
  return policy?.mistake && !isReading
    ? `${policy.mistake} Until it is mended, a person is asked about every call that changes something.`
    : null;
}

type Lookup = ReturnType<typeof ruleLookup>;

/** Compiled once for each file, because the same object is handed over with every call. */
const lookups = new WeakMap<RepositoryPolicy, Lookup>();

function lookupOf(policy: RepositoryPolicy): Lookup {
  const known = lookups.get(policy);
  if (known) return known;
  const made = ruleLookup(policy.rules.map(compileRule).toSorted(strictestFirst));
  lookups.set(policy, made);
  return made;
}

/** Denials first, because one of them counts whatever the others say. */
const strictestFirst = (a: CompiledRule, b: CompiledRule) => strictness[b.verdict] - strictness[a.verdict];
