import "server-only";
import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import { apiKeys, approvals, mcpServers, tools, turns } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { hasVoted } from "./may-decide";
import type { ApprovalRow } from "./settlement";

/** Returns the error that explains why an answer did not count, from the rows as they are now. */
export async function explainUnsettled(approval: ApprovalRow, actor: Actor): Promise<AppError> {
  const isOpen = and(eq(approvals.id, approval.id), eq(approvals.status, "pending"), gt(approvals.expiresAt, sql`clock_timestamp()`));
  if ((await db().$count(approvals, isOpen)) > 0) {
    if (hasVoted(approval, actor)) {
      return new AppError("already_decided", "You have voted on this approval already. Another person has to vote too.");
    }
    const gone = await whyItCannotRun(approval);
    if (gone) return new AppError("conflict", `${gone} The call cannot run, so it cannot be approved. Reject it, or change that first.`);
  }
  return new AppError("already_decided", whyTooLate(approval));
}

function whyTooLate(approval: ApprovalRow): string {
  const at = (approval.decidedAt ?? approval.expiresAt).toISOString();
  if (approval.status === "pending" || approval.status === "expired") {
    return `The time for this approval was up at ${approval.expiresAt.toISOString()}. The agent was told that nobody answered.`;
  }
  return `This approval was already ${approval.status === "void" ? "declared void" : approval.status} by ${approval.decidedBy?.name ?? "Handrail"} at ${at}.`;
}

/** Explains which condition of `canRun` in the settling statement fails; null when none does. */
async function whyItCannotRun({ workspaceId, turnId, toolName, requestedBy }: ApprovalRow): Promise<string | null> {
  const isOfClient = and(eq(turns.id, turnId), isNotNull(turns.machine));
  const tool = (await db().$count(turns, isOfClient)) > 0 ? null : await whyToolIsOff(workspaceId, toolName);
  if (tool) return tool;
  if (requestedBy.type !== "api_key") return null;
  const [key] = await db().select({ revokedAt: apiKeys.revokedAt }).from(apiKeys).where(eq(apiKeys.id, requestedBy.id));
  return `The API key "${requestedBy.name}" that asked for the call ${key && !key.revokedAt ? "has expired" : "was revoked"}.`;
}

/** Explains why Handrail cannot run a tool; null when it can. */
async function whyToolIsOff(workspaceId: string, toolName: string): Promise<string | null> {
  const [tool] = await db()
    .select({ enabled: tools.enabled, quarantine: tools.quarantine, server: mcpServers.alias, serverEnabled: mcpServers.enabled })
    .from(tools)
    .leftJoin(mcpServers, eq(mcpServers.id, tools.mcpServerId))
    .where(and(eq(tools.workspaceId, workspaceId), eq(tools.name, toolName)));
  if (!tool) return `The tool ${toolName} does not exist any more.`;
  if (!tool.enabled) return `The tool ${toolName} is disabled.`;
  if (tool.quarantine) {
    return `The MCP server ${tool.server} changed the tool ${toolName} after the call was asked, and a person has to decide that change.`;
  }
  return tool.serverEnabled === false ? `The MCP server ${tool.server} is disabled.` : null;
}
