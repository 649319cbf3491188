import "server-only";
import { eq } from "drizzle-orm";
import type { Hook, HookDraft } from "@/contracts/hooks";
import { hooks } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Holder, refOf } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { demandUsableHook } from "./demand-usable-hook";
import { lockHook } from "./find-hook";
import { hookInAudit } from "./hook-in-audit";
import { presentHook } from "./present-hook";

/**
 * Replaces a hook. Calls that it has looked at already stay as they are.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`, `invalid`
 */
export async function updateHook(actor: Holder<"hooks:write">, hookId: string, draft: HookDraft, version: number | null): Promise<Hook> {
  const { workspaceId } = actor;
  return db().transaction(async (tx) => {
    const before = await lockHook(tx, workspaceId, hookId, version);
    await demandUsableHook(tx, workspaceId, draft);
    const [row] = await tx
      .update(hooks)
      .set({ ...draft, version: before.version + 1 })
      .where(eq(hooks.id, hookId))
      .returning();
    if (!row) throw new Error("A locked hook was not updated");
    await recordConfigChange(tx, {
      workspaceId,
      event: "hook.updated",
      actor: refOf(actor),
      subject: hookId,
      data: { old: hookInAudit(before), new: hookInAudit(row) },
      requestId: actor.requestId,
    });
    return presentHook(row, actor);
  });
}
