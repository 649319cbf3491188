import "server-only";
import { eq } from "drizzle-orm";
import type { HttpTool, HttpToolDraft } from "@/contracts/tools/http-tools";
import { tools } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { definitionInAudit } from "./definition-in-audit";
import { findHttpTool, lockHttpTool } from "./find-http-tool";
import { getHttpTool } from "./get-http-tool";
import { insertHttpTool, replaceHttpTool } from "./save-http-tool";

/** Adds a custom HTTP tool. @throws AppError `invalid`, `conflict` for a taken name */
export async function createHttpTool(actor: Authorized<"tools:write">, draft: HttpToolDraft): Promise<HttpTool> {
  const id = await db().transaction((tx) => insertHttpTool(tx, actor, { draft, api: null }));
  return getHttpTool(actor.workspaceId, id);
}

/** Replaces an HTTP tool's definition. `version`: from If-Match. @throws AppError `invalid`, `conflict`, `stale_version` */
export async function updateHttpTool(
  actor: Authorized<"tools:write">,
  idOrName: string,
  draft: HttpToolDraft,
  version: number | null,
): Promise<HttpTool> {
  const id = await findHttpTool(actor.workspaceId, idOrName);
  await db().transaction(async (tx) => {
    const before = await lockHttpTool(tx, actor.workspaceId, id, version);
    await replaceHttpTool(tx, actor, before, { draft, api: before.definition.api });
  });
  return getHttpTool(actor.workspaceId, id);
}

/** Removes an HTTP tool. `version`: from If-Match. @throws AppError `conflict` for a tool of another source */
export async function removeHttpTool(actor: Authorized<"tools:write">, idOrName: string, version: number | null): Promise<void> {
  const id = await findHttpTool(actor.workspaceId, idOrName);
  await db().transaction(async (tx) => {
    const { tool, definition } = await lockHttpTool(tx, actor.workspaceId, id, version);
    await tx.delete(tools).where(eq(tools.id, tool.id));
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "tool.removed",
      actor: toActorRef(actor),
      subject: tool.name,
      tool: tool.name,
      data: definitionInAudit({ ...definition, effect: tool.effect }),
      requestId: actor.requestId,
    });
  });
}
