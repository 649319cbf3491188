import "server-only";
import { eq } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { GrantMatch, Remember } from "@/contracts/guard/grants";
import type { Db } from "@/db/client";
import { conversations, toolCalls, turns } from "@/db/schema";
import { openArguments } from "@/server/audit/kept-arguments";
import type { Authorized } from "@/server/auth/actor";
import { analyzeCall } from "@/server/guard/call/analyzed-call";
import type { GuardedTool } from "@/server/guard/call/guard-request";
import { worstSeverity } from "@/server/guard/grants/apply-grant";
import { compileGrant } from "@/server/guard/grants/compile-grants";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import type { ApprovalRow } from "../settlement";
import { contentsOfGrant, mayRunUnseen } from "./contents-of-grant";
import { assertUsablePattern, computeGrantTime } from "./create-grant";
import { invalidGrant } from "./invalid-grant";
import { requireGrantScope } from "./require-grant-scope";
import { type GrantRow, writeGrant } from "./write-grant";

/**
 * Creates the grant for "always allow this": for the call's tool, up to the severity that the approver saw. The scope's id
 * follows from the call. Call `policyChanged` after the transaction.
 * @throws AppError `forbidden` for a call that cannot be approved in advance; `invalid` for a pattern that does not cover it
 */
export async function grantFromApproval(
  tx: Db,
  approval: ApprovalRow,
  { remember, tool, actor }: { remember: Remember; tool: GuardedTool; actor: Authorized<"approvals:decide"> },
): Promise<GrantRow> {
  const { decision, conversationId } = approval;
  const worst = worstSeverity(decision.findings);
  if (worst === "critical") {
    throw new AppError(
      "forbidden",
      "This call has a critical finding, so it cannot be approved in advance. Approve this call without remembering.",
    );
  }
  if (decision.approvers) {
    throw new AppError(
      "forbidden",
      "The rule names its approvers, so calls are approved one by one. Approve this call without remembering.",
    );
  }
  if (Object.hasOwn(approval.arguments, "gate")) {
    throw new AppError("forbidden", "Gates of the secure pipeline are approved one by one. Approve this gate without remembering.");
  }
  if (mayRunUnseen(approval)) {
    throw new AppError(
      "forbidden",
      `This call leaves the sandbox with files that may change: ${approval.contents?.notFixed.join(" ")} Approve this call without remembering.`,
    );
  }
  const args = await argumentsOf(tx, approval);
  const match = matchOf(remember, args);
  assertUsablePattern(match, "remember.match.pattern");
  const time = computeGrantTime(remember);
  const scopeId = await requireGrantScope(tx, actor, { scope: remember.scope, scopeId: await idFor(tx, approval, remember.scope) });
  const grant = {
    scope: remember.scope,
    scopeId,
    tool: tool.name,
    pinHash: tool.pinHash ?? null,
    match,
    contents: contentsOfGrant(approval, match.kind),
    maxSeverity: worst ?? "low",
    note: remember.note,
    approvalId: approval.id,
    ...time,
  };
  if (match.kind === "pattern") {
    const compiled = compileGrant({ ...grant, id: approval.id, expiresAt: null, grantedBy: actor });
    const { sandboxed } = decision;
    const context = { interactive: true, conversationId, ...(sandboxed === undefined ? {} : { sandboxed }) };
    const call = analyzeCall({ tool, arguments: args, context });
    const { result, why } = compiled.tryOn(call, sharedNowMs());
    if (result !== "matched")
      throw invalidGrant("remember.match.pattern", `This pattern does not cover the call that you approve. ${why()}`);
  }
  return writeGrant(tx, actor, grant);
}

/** Returns the arguments that the call runs with, because the approval holds them with secrets masked. */
async function argumentsOf(tx: Db, { callId }: ApprovalRow): Promise<JsonObject> {
  const [call] = await tx.select().from(toolCalls).where(eq(toolCalls.id, callId));
  const opened = call && openArguments(call);
  if (!opened || opened.sealedArguments !== null) {
    throw new AppError(
      "forbidden",
      "The arguments of this call hold a secret and cannot be read any more. Approve it without remembering.",
    );
  }
  return opened.arguments;
}

function matchOf({ match }: Remember, args: JsonObject): GrantMatch {
  if (typeof match === "string" || match.kind === "exact") return { kind: "exact", arguments: args };
  return { ...match, kind: "pattern" };
}

async function idFor(tx: Db, { conversationId, requestedBy, turnId }: ApprovalRow, scope: Remember["scope"]): Promise<string | undefined> {
  switch (scope) {
    case "repository": {
      const [turn] = await tx.select({ machine: turns.machine }).from(turns).where(eq(turns.id, turnId));
      if (turn?.machine?.repository) return turn.machine.repository;
      throw invalidGrant("remember.scope", "This call was not made in a repository with a remote address. Choose another scope.");
    }
    case "conversation":
      return conversationId;
    case "user":
      return requestedBy.id;
    case "workspace":
      return undefined;
    case "agent": {
      const [conversation] = await tx
        .select({ agentId: conversations.agentId })
        .from(conversations)
        .where(eq(conversations.id, conversationId));
      return conversation?.agentId;
    }
  }
}
