import "server-only";
import { eq } from "drizzle-orm";
import { hooks } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { forgetRuns } from "@/server/hooks/run-rate";
import { db } from "@/server/platform/database/database";
import { lockHook } from "./find-hook";
import { hookInAudit } from "./hook-in-audit";

/**
 * Removes a hook; its runs stay listed.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`
 */
export async function removeHook(actor: Authorized<"hooks:write">, hookId: string, version: number | null): Promise<void> {
  const { workspaceId } = actor;
  await db().transaction(async (tx) => {
    const before = await lockHook(tx, workspaceId, hookId, version);
    await tx.delete(hooks).where(eq(hooks.id, hookId));
    await recordConfigChange(tx, {
      workspaceId,
      event: "hook.removed",
      actor: toActorRef(actor),
      subject: hookId,
      data: { old: hookInAudit(before) },
      requestId: actor.requestId,
    });
  });
  forgetRuns(hookId);
}
