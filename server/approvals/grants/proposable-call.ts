import "server-only";
import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { GrantMatch } from "@/contracts/guard/grants";
import { toolCalls } from "@/db/schema";
import { openArguments } from "@/server/audit/kept-arguments";
import { type Authorized, systemActor } from "@/server/auth/actor";
import { type AnalyzedCall, analyzeCallIfReadable } from "@/server/guard/call/analyzed-call";
import type { GuardedTool } from "@/server/guard/call/guard-request";
import { worstSeverity } from "@/server/guard/grants/apply-grant";
import { compileGrant } from "@/server/guard/grants/compile-grants";
import type { CompiledGrant } from "@/server/guard/grants/compiled-grants";
import { db } from "@/server/platform/database/database";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import { makeYieldToEventLoop } from "@/server/platform/yield-to-event-loop";
import { findGuardedTool } from "@/server/policy/find-guarded-tool";
import { readApproval } from "../read-approval";
import type { ApprovalRow } from "../settlement";
import { mayRunUnseen } from "./contents-of-grant";

const days = 30;
const maxLookedAt = 2_000;

/** The call of an approval that may be approved in advance. */
export type ProposableCall = {
  approval: ApprovalRow;
  tool: GuardedTool;
  /** With the arguments that it runs with. */
  call: AnalyzedCall;
  /** With its secrets masked: somebody's own pattern is tried on it, because a pattern could spell out a secret. */
  masked: AnalyzedCall;
};

/**
 * Reads the call of an approval; null for a call that is never approved in advance.
 * @throws AppError `not_found`
 */
export async function findProposableCall(actor: Authorized<"approvals:read">, approvalId: string): Promise<ProposableCall | null> {
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
  if (isNever) return null;
  const tool = await findGuardedTool(approval.workspaceId, approval.toolName);
  const [row] = await db().select().from(toolCalls).where(eq(toolCalls.id, approval.callId));
  const opened = row && openArguments(row);
  const call = opened && opened.sealedArguments === null ? analyzed(tool, opened.arguments) : null;
  const masked = analyzed(tool, approval.arguments);
  return call && masked && { approval, tool, call, masked };
}

/** Compiles a grant for calls of a tool, up to the trial of a call. */
export function tryOnOf(tool: GuardedTool, match: GrantMatch): CompiledGrant["tryOn"] {
  const content = { id: tool.name, scope: "workspace", scopeId: null, tool: tool.name, match, maxSeverity: "high" } as const;
  return compileGrant({ ...content, expiresAt: null, grantedBy: systemActor }).tryOn;
}

const analyzed = (tool: GuardedTool, args: JsonObject): AnalyzedCall | null =>
  analyzeCallIfReadable({ tool, arguments: args, context: { interactive: true } });

/**
 * Counts the tool's newest calls of the last 30 days that each grant would have covered. Calls that need approval are
 * counted as well. Every number of recorded calls on a card is counted here.
 * @param onCovered called for each covered call, the newest first
 */
export async function countCovered(
  { approval, tool }: ProposableCall,
  grants: readonly CompiledGrant["tryOn"][],
  onCovered: (call: AnalyzedCall, callId: string) => void = () => {},
): Promise<{ examined: number; covers: number[] }> {
  const recorded = await recordedCalls(approval.workspaceId, tool.name);
  const covers = grants.map(() => 0);
  const now = sharedNowMs();
  const yieldToEventLoop = makeYieldToEventLoop();
  for (const { id, arguments: args } of recorded) {
    await yieldToEventLoop();
    const past = analyzed(tool, args);
    if (!past) continue;
    for (const [place, tryOn] of grants.entries()) {
      if (tryOn(past, now).result !== "matched") continue;
      covers[place] = (covers[place] ?? 0) + 1;
      onCovered(past, id);
    }
  }
  return { examined: recorded.length, covers };
}

function recordedCalls(workspaceId: string, toolName: string) {
  return db()
    .select({ id: toolCalls.id, arguments: toolCalls.arguments })
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
}
