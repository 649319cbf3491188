import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import { instructionsName, type PinDecision, type ToolChange } from "@/contracts/tools/tool-changes";
import { type KeptDefinition, mcpServers, toolChanges, tools } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { differingParts } from "./differing-parts";
import { type HintUse, hintTraits } from "./hint-effect";
import { readToolChange } from "./list-changes";
import { toDefinitionColumns } from "./pin-columns";

/**
 * Decides the definition that a server lists in place of a tool's pin, or its instructions in place of the accepted ones. Approved, it becomes the pin, and the tool is
 * callable; rejected, the tool stays off until the server lists another definition. A rejected one may be approved later.
 * @throws AppError `forbidden` for a key that submits turns, `conflict` when nothing waits, or when the server has changed
 * the tool again since it was shown
 */
export async function decidePin(
  actor: Authorized<"tools:write">,
  serverId: string,
  name: string,
  { decision, hash, comment = "" }: PinDecision,
): Promise<ToolChange> {
  const { workspaceId } = actor;
  const changeId = await db().transaction(async (tx) => {
    // The server's row first, as a connecting replica does, so that both cannot wait for each other.
    const [server] = await tx
      .select({
        alias: mcpServers.alias,
        trustHints: mcpServers.trustHints,
        parallelCalls: mcpServers.parallelCalls,
        changeId: mcpServers.instructionsChangeId,
      })
      .from(mcpServers)
      .where(and(eq(mcpServers.workspaceId, workspaceId), eq(mcpServers.id, serverId)))
      .for("update");
    if (!server) throw new AppError("not_found", "There is no such MCP server in this workspace. GET /api/v1/mcp/servers lists them.");
    refuseModelSide(actor);
    const isTool = and(eq(tools.workspaceId, workspaceId), eq(tools.mcpServerId, serverId), eq(tools.name, name));
    const ofServer = name === instructionsName;
    const [tool] = ofServer ? [] : await tx.select().from(tools).where(isTool).for("update");
    if (!tool && !ofServer) throw new AppError("not_found", `The MCP server ${server.alias} lists no tool ${name}.`);
    const { changeId } = tool ?? server;
    const [change] = changeId ? await tx.select().from(toolChanges).where(eq(toolChanges.id, changeId)) : [];
    if (!change) throw new AppError("conflict", `There is no change of ${name} to decide: it is as it was accepted.`);
    if (change.after.hash !== hash) {
      throw new AppError("conflict", `The server changed ${name} again since you saw it. Read the change again, then decide.`);
    }
    if (decision === "reject" && change.status === "rejected") {
      throw new AppError("already_decided", `This change of ${name} was already rejected by ${change.decidedBy?.name ?? "somebody"}.`);
    }
    const isApproved = decision === "approve";
    if (tool) {
      await tx
        .update(tools)
        .set({
          ...(isApproved
            ? { ...columnsOf(change.after, server, tool.availability), quarantine: null, changeId: null }
            : { quarantine: "rejected" as const }),
          version: sql`${tools.version} + 1`,
        })
        .where(eq(tools.id, tool.id));
    } else if (isApproved) {
      const accepted = { instructions: change.after.description || null, instructionsChangeId: null, updatedAt: sql`updated_at` };
      await tx.update(mcpServers).set(accepted).where(eq(mcpServers.id, serverId));
    }
    await tx
      .update(toolChanges)
      .set({ status: isApproved ? "approved" : "rejected", decidedAt: sql`now()`, decidedBy: toActorRef(actor), comment })
      .where(eq(toolChanges.id, change.id));
    await recordConfigChange(tx, {
      workspaceId,
      event: isApproved ? "tool.pin_approved" : "tool.pin_rejected",
      actor: toActorRef(actor),
      subject: name,
      tool: name,
      source: `mcp:${server.alias}`,
      data: {
        kind: change.kind,
        parts: differingParts(change.before, change.after),
        before: change.before && audited(change.before),
        after: audited(change.after),
        findings: change.after.findings.map(({ check, severity, place }) => ({ check, severity, place })),
        comment,
      },
      requestId: actor.requestId,
    });
    await signalOnCommit(tx, { topic: "tool_change", workspaceId, event: "tool.pin_decided" });
    return change.id;
  });
  return readToolChange(workspaceId, changeId);
}

/** Refuses keys of agents and of programs that submit turns, because a model could accept the words written for it. */
function refuseModelSide({ type, agentId, permissions }: Authorized<"tools:write">): void {
  if (type !== "api_key") return;
  if (agentId) throw new AppError("forbidden", "A key of an agent cannot decide a tool's change. Decide it in the console.");
  // An admin's key holds turns:write by implication; a key that was given it has lost approvals:decide.
  if (permissions.has("turns:write") && !permissions.has("approvals:decide")) {
    throw new AppError("forbidden", "A key with turns:write cannot decide a tool's change. Use a key without it, or the console.");
  }
}

function columnsOf(after: KeptDefinition, server: HintUse, availability: (typeof tools.$inferSelect)["availability"]) {
  const { unavailableReason: reason } = after;
  const now = reason ? { availability: "unavailable" as const, availabilityReason: reason } : null;
  // A server that is away stays away.
  const back = availability === "unavailable" ? { availability: "available" as const, availabilityReason: null } : {};
  return { ...toDefinitionColumns(after), ...hintTraits(after.annotations, server), pinHash: after.hash, ...(now ?? back) };
}

function audited({ hash, title, description, inputSchema, annotations }: KeptDefinition): JsonObject {
  return { hash, title, description, inputSchema, annotations };
}
