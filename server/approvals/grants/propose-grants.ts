import "server-only";
import type { GrantProposal } from "@/contracts/approvals/approvals";
import type { KeptContents } from "@/contracts/calls/call-contents";
import type { GrantMatch } from "@/contracts/guard/grants";
import type { Authorized } from "@/server/auth/actor";
import { patternsFor } from "@/server/guard/grants/grant-patterns";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { maskInText } from "@/server/secrets/mask-secrets";
import { contentsOfGrant } from "./contents-of-grant";
import { countCovered, findProposableCall, tryOnOf } from "./proposable-call";

type Proposals = { proposals: GrantProposal[]; examined: number };

/**
 * Proposes grants for an approval, narrow before wide, with the number of recorded calls that each would have covered.
 * Returns no proposals for calls that are never approved in advance.
 * @throws AppError `not_found`
 */
export async function proposeGrants(actor: Authorized<"approvals:read">, approvalId: string): Promise<Proposals> {
  const proposable = await findProposableCall(actor, approvalId);
  if (!proposable) return { proposals: [], examined: 0 };
  const { approval, tool, call } = proposable;
  const candidates: { match: GrantMatch; label: string }[] = [
    {
      match: { kind: "exact", arguments: call.arguments },
      label: withFiles("exactly these arguments", contentsOfGrant(approval, "exact")),
    },
    // A pattern with a secret is left out, because readers of approvals may not read the secrets of calls.
    ...patternsFor(call)
      .filter(({ label }) => maskInText(label) === label)
      .map(({ pattern, label, reach }) => ({
        match: { kind: "pattern" as const, parameter: null, pattern, ...(reach ? { reach } : {}) },
        label: withFiles(label, contentsOfGrant(approval, "pattern")),
      })),
  ];
  const compiled = candidates.map(({ match, label }) => ({ match, label, tryOn: tryOnOf(tool, match) }));
  const now = sharedNowMs();
  // A pattern that does not cover the approved call itself is left out, and so are duplicates.
  const usable = compiled.filter(
    ({ match, tryOn }, place) =>
      tryOn(call, now).result === "matched" &&
      compiled.findIndex((other) => JSON.stringify(other.match) === JSON.stringify(match)) === place,
  );
  const { examined, covers } = await countCovered(
    proposable,
    usable.map(({ tryOn }) => tryOn),
  );
  return {
    // The answer leaves the arguments out, because a decision says "exact" without them.
    proposals: usable.map(({ match, label }, place) => ({ match: withoutArguments(match), label, covers: covers[place] ?? 0 })),
    examined,
  };
}

/** Says in a label that the grant will hold only for files as they are. */
function withFiles(label: string, contents: KeptContents | null): string {
  if (!contents || contents.files.length === 0) return label;
  const [first, ...more] = contents.files.map(({ path }) => path);
  const others = more.length === 0 ? " stays" : more.length === 1 ? " and 1 more file stay" : ` and ${more.length} more files stay`;
  return `${label}, while ${first}${others} as now`;
}

function withoutArguments(match: GrantMatch): GrantProposal["match"] {
  return match.kind === "exact" ? { kind: "exact" } : { ...match, parameter: null };
}
