import "server-only";
import { eq } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { GrantMatch, Remember } from "@/contracts/grants";
import type { Db } from "@/db/client";
import { conversations, toolCalls } from "@/db/schema";
import { openArguments } from "@/server/audit/kept-arguments";
import type { Holder } from "@/server/auth/actor";
import { onTrial } from "@/server/guard/call-on-trial";
import { findGuardedTool } from "@/server/guard/find-guarded-tool";
import { compileGrant } from "@/server/guard/grants/compile-grants";
import { worstOf } from "@/server/guard/grants/with-grant";
import { AppError } from "@/server/platform/errors";
import type { ApprovalRow } from "../settle-approval";
import { demandUsablePattern, timeOf } from "./create-grant";
import { demandScope } from "./demand-scope";
import { invalid } from "./invalid-grant";
import { type GrantRow, writeGrant } from "./write-grant";

/**
 * "Always allow this", said with an approval: a grant for the call's tool, up to the severity that the person saw. Whom it
 * is for follows from the call. After the transaction call `policyChanged`.
 * @throws AppError `forbidden`, `invalid` for what cannot be approved in advance, or a pattern that does not cover the call
 */
export async function makeGrantFrom(
  tx: Db,
  approval: ApprovalRow,
  remember: Remember,
  actor: Holder<"approvals:decide">,
): Promise<GrantRow> {
  const { decision, conversationId, workspaceId } = approval;
  const worst = worstOf(decision.findings);
  if (worst === "critical") {
    throw new AppError(
      "forbidden",
      "This call has a critical finding, so it cannot be approved in advance. Approve it without remembering.",
    );
  }
  if (Object.hasOwn(approval.arguments, "gate")) {
    throw new AppError("forbidden", "A gate of the secure pipeline is answered each time. Approve it without remembering.");
  }
  const args = await argumentsOf(tx, approval);
  const match = matchOf(remember, args);
  demandUsablePattern(match, "remember.match.pattern");
  const time = timeOf(remember);
  const scopeId = await demandScope(tx, actor, { scope: remember.scope, scopeId: await idFor(tx, approval, remember.scope) });
  const tool = await findGuardedTool(tx, workspaceId, approval.toolName);
  const grant = {
    scope: remember.scope,
    scopeId,
    tool: tool.name,
    match,
    maxSeverity: worst ?? "low",
    note: remember.note,
    approvalId: approval.id,
    ...time,
  };
  if (match.kind === "pattern") {
    const compiled = compileGrant({ ...grant, id: approval.id, expiresAt: null, grantedBy: actor });
    const call = onTrial({ tool, arguments: args, context: { interactive: true, conversationId } });
    const { result, why } = compiled.tryOn(call, Date.now());
    if (result !== "matched") throw invalid("remember.match.pattern", `This pattern does not cover the call that you approve. ${why()}`);
  }
  return writeGrant(tx, actor, grant);
}

/** The arguments that the call would be run with: the question has them with secrets masked. */
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

async function idFor(tx: Db, { conversationId, requestedBy }: ApprovalRow, scope: Remember["scope"]): Promise<string | undefined> {
  switch (scope) {
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
