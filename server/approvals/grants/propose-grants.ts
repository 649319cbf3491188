import "server-only";
import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import type { GrantProposal } from "@/contracts/approvals";
import type { KeptContents } from "@/contracts/call-contents";
import type { JsonObject } from "@/contracts/common";
import type { GrantMatch } from "@/contracts/grants";
import { toolCalls } from "@/db/schema";
import { openArguments } from "@/server/audit/kept-arguments";
import { type Authorized, systemActor } from "@/server/auth/actor";
import { type AnalyzedCall, analyzeCallIfReadable } from "@/server/guard/analyzed-call";
import { worstSeverity } from "@/server/guard/grants/apply-grant";
import { compileGrant } from "@/server/guard/grants/compile-grants";
import { patternsFor } from "@/server/guard/grants/grant-patterns";
import type { GuardedTool } from "@/server/guard/guard-request";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { sharedNowMs } from "@/server/platform/shared-clock";
import { makeYieldToEventLoop } from "@/server/platform/yield-to-event-loop";
import { findGuardedTool } from "@/server/policy/find-guarded-tool";
import { maskInText } from "@/server/secrets/mask-secrets";
import { readApproval } from "../read-approval";
import { contentsOfGrant, mayRunUnseen } from "./contents-of-grant";

const days = 30;
const maxLookedAt = 2_000;

type Proposals = { proposals: GrantProposal[]; examined: number };

/**
 * Proposes grants for an approval, narrow before wide, with the number of recorded calls that each would have covered.
 * Returns no proposals for calls that are never approved in advance.
 * @throws AppError `not_found`
 */
export async function proposeGrants(actor: Authorized<"approvals:read">, approvalId: string): Promise<Proposals> {
  const approval = await readApproval(approvalId);
  if (approval?.workspaceId !== actor.workspaceId) {
    throw new AppError("not_found", "This approval does not exist. GET /api/v1/approvals lists them.");
  }
  const isNever =
    approval.kind !== "call" ||
    approval.decision.approvers !== undefined ||
    Object.hasOwn(approval.arguments, "gate") ||
    worstSeverity(approval.decision.findings) === "critical" ||
    mayRunUnseen(approval);
  if (isNever) return { proposals: [], examined: 0 };
  const tool = await findGuardedTool(db(), approval.workspaceId, approval.toolName);
  const [row] = await db().select().from(toolCalls).where(eq(toolCalls.id, approval.callId));
  const opened = row && openArguments(row);
  const call = opened && opened.sealedArguments === null ? analyzed(tool, opened.arguments) : null;
  if (!opened || !call) return { proposals: [], examined: 0 };

  const candidates: { match: GrantMatch; label: string }[] = [
    {
      match: { kind: "exact", arguments: opened.arguments },
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
  const compiled = candidates.map(({ match, label }) => ({ match, label, covers: 0, tryOn: tryOnOf(tool, match) }));
  const now = sharedNowMs();
  // A pattern that does not cover the approved call itself is left out, and so are duplicates.
  const usable = compiled.filter(
    ({ match, tryOn }, place) =>
      tryOn(call, now).result === "matched" &&
      compiled.findIndex((other) => JSON.stringify(other.match) === JSON.stringify(match)) === place,
  );
  const recorded = await recordedArguments(approval.workspaceId, tool.name);
  const yieldToEventLoop = makeYieldToEventLoop();
  for (const args of recorded) {
    await yieldToEventLoop();
    const past = analyzed(tool, args);
    if (past) for (const proposal of usable) proposal.covers += Number(proposal.tryOn(past, now).result === "matched");
  }
  return {
    // The answer leaves the arguments out, because a decision says "exact" without them.
    proposals: usable.map(({ match, label, covers }) => ({ match: withoutArguments(match), label, covers })),
    examined: recorded.length,
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

const analyzed = (tool: GuardedTool, args: JsonObject): AnalyzedCall | null =>
  analyzeCallIfReadable({ tool, arguments: args, context: { interactive: true } });

function tryOnOf(tool: GuardedTool, match: GrantMatch) {
  const content = { id: tool.name, scope: "workspace", scopeId: null, tool: tool.name, match, maxSeverity: "high" } as const;
  return compileGrant({ ...content, expiresAt: null, grantedBy: systemActor }).tryOn;
}

/** Reads the arguments of the tool's newest calls of the last 30 days. */
async function recordedArguments(workspaceId: string, toolName: string): Promise<JsonObject[]> {
  const rows = await db()
    .select({ arguments: toolCalls.arguments })
    .from(toolCalls)
    .where(
      and(
        eq(toolCalls.workspaceId, workspaceId),
        eq(toolCalls.name, toolName),
        isNotNull(toolCalls.decision),
        sql`${toolCalls.createdAt} > now() - make_interval(days => ${days})`,
      ),
    )
    .orderBy(desc(toolCalls.id))
    .limit(maxLookedAt);
  return rows.map(({ arguments: args }) => args);
}
