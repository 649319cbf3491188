import "server-only";
import type { TriedPattern } from "@/contracts/approvals/approvals";
import type { GrantReach } from "@/contracts/guard/grants";
import type { Authorized } from "@/server/auth/actor";
import { patternSubjectText } from "@/server/guard/call/pattern-subject";
import { patternsFor } from "@/server/guard/grants/grant-patterns";
import { compilePattern } from "@/server/guard/matching/argument-pattern";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { ruleWarnings } from "@/server/policy/warnings/rule-warnings";
import { maskInText } from "@/server/secrets/mask-secrets";
import { countCovered, findProposableCall, type ProposableCall, tryOnOf } from "./proposable-call";

type Asked = { pattern: string; reach?: GrantReach | undefined };

const maxShownCalls = 5;
const maxSeenChars = 1_000;
const nothing: TriedPattern = {
  patternError: null,
  whyNotCovered: null,
  instead: null,
  warnings: [],
  covers: 0,
  examined: 0,
  calls: [],
};

/**
 * Tries a pattern for a grant on the call of an approval and on the recorded calls of its tool. Saves nothing, and accepts
 * a pattern that is not valid yet.
 * @throws AppError `not_found`
 */
export async function tryPattern(
  actor: Authorized<"approvals:read">,
  approvalId: string,
  { pattern, reach }: Asked,
): Promise<TriedPattern> {
  const proposable = await findProposableCall(actor, approvalId);
  if (!proposable) return { ...nothing, whyNotCovered: "Calls like this one are approved one by one." };
  const compiled = compilePattern(pattern);
  if (!compiled.ok) return { ...nothing, patternError: compiled.error };
  const { tool, masked } = proposable;
  const grantOf = (text: string) => tryOnOf(tool, { kind: "pattern", parameter: null, pattern: text, ...(reach ? { reach } : {}) });
  const tryOn = grantOf(pattern);
  const { result, why } = tryOn(masked, sharedNowMs());
  const warnings = ruleWarnings({ tool: tool.name, parameter: null, pattern, excludePattern: null, comparisons: [], verdict: "allow" }, [
    tool,
  ]);
  const isOpen = warnings.some(({ kind }) => kind === "open_pattern");
  const covers = (text: string) => grantOf(text)(masked, sharedNowMs()).result === "matched";
  const closed = warnings.flatMap(({ instead }) => instead?.pattern ?? []);
  const instead = isOpen || result !== "matched" ? [...closed, ...proposedFor(proposable)].find(covers) : undefined;
  const calls: TriedPattern["calls"] = [];
  const maySee = actor.permissions.has("guard:read");
  const counted = await countCovered(proposable, [tryOn], (past, callId) => {
    if (maySee && calls.length < maxShownCalls)
      calls.push({ callId, seen: maskInText(patternSubjectText(past, null).slice(0, maxSeenChars)) });
  });
  return {
    patternError: null,
    whyNotCovered: result === "matched" ? null : why(),
    instead: instead ?? null,
    warnings,
    covers: counted.covers[0] ?? 0,
    examined: counted.examined,
    calls,
  };
}

/** Returns the patterns that are proposed for a call, the narrow before the wide. */
function proposedFor({ call }: ProposableCall): string[] {
  return patternsFor(call)
    .filter(({ label }) => maskInText(label) === label)
    .map(({ pattern }) => pattern);
}
