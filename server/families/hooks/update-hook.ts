import "server-only";
import { eq } from "drizzle-orm";
import { defaultHookRate, type Hook, type HookDraft } from "@/contracts/hooks/hooks";
import { hooks } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { assertUsableHook } from "./assert-usable-hook";
import { lockHook } from "./find-hook";
import { hookInAudit } from "./hook-in-audit";
import { presentHook } from "./present-hook";

/**
 * Replaces a hook. Calls that the hook has already processed stay unchanged.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`, `invalid`
 */
export async function updateHook(
  actor: Authorized<"hooks:write">,
  hookId: string,
  draft: HookDraft,
  version: number | null,
): Promise<Hook> {
  const { workspaceId } = actor;
  return db().transaction(async (tx) => {
    const before = await lockHook(tx, workspaceId, hookId, version);
    await assertUsableHook(tx, workspaceId, draft);
    const [row] = await tx
      .update(hooks)
      .set({ ...draft, ratePerMinute: draft.ratePerMinute ?? defaultHookRate, version: before.version + 1 })
      .where(eq(hooks.id, hookId))
      .returning();
    if (!row) throw new Error("A locked hook was not updated");
    await recordConfigChange(tx, {
      workspaceId,
      event: "hook.updated",
      actor: toActorRef(actor),
      subject: hookId,
      data: { old: hookInAudit(before), new: hookInAudit(row) },
      requestId: actor.requestId,
    });
    return presentHook(row, actor);
  });
}
