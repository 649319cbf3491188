import "server-only";
import { eq } from "drizzle-orm";
import { hooks } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Holder, refOf } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { lockHook } from "./find-hook";
import { hookInAudit } from "./hook-in-audit";
import { forgetRuns } from "./run-rate";

/**
 * Removes a hook; what it did stays in the list of runs.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`
 */
export async function removeHook(actor: Holder<"hooks:write">, hookId: string, version: number | null): Promise<void> {
  const { workspaceId } = actor;
  await db().transaction(async (tx) => {
    const before = await lockHook(tx, workspaceId, hookId, version);
    await tx.delete(hooks).where(eq(hooks.id, hookId));
    await recordConfigChange(tx, {
      workspaceId,
      event: "hook.removed",
      actor: refOf(actor),
      subject: hookId,
      data: { old: hookInAudit(before) },
      requestId: actor.requestId,
    });
  });
  forgetRuns(hookId);
}
