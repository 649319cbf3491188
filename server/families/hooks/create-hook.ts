import "server-only";
import { eq } from "drizzle-orm";
import { defaultHookRate, type Hook, type HookDraft } from "@/contracts/hooks/hooks";
import { hooks, workspaces } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { assertUsableHook } from "./assert-usable-hook";
import { hookInAudit } from "./hook-in-audit";
import { presentHook } from "./present-hook";

const maxHooks = 200;

/** Adds a hook. @throws AppError `invalid` for a hook that cannot work, `conflict` beyond 200 hooks */
export async function createHook(actor: Authorized<"hooks:write">, draft: HookDraft): Promise<Hook> {
  const { workspaceId } = actor;
  return db().transaction(async (tx) => {
    // Locks the workspace, so that two concurrent additions are counted one after the other.
    await tx.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, workspaceId)).for("no key update");
    if ((await tx.$count(hooks, eq(hooks.workspaceId, workspaceId))) >= maxHooks) {
      throw new AppError("conflict", `A workspace has at most ${maxHooks} hooks. Remove one that is not needed any more.`);
    }
    await assertUsableHook(tx, workspaceId, draft);
    const [row] = await tx
      .insert(hooks)
      .values({ ...draft, ratePerMinute: draft.ratePerMinute ?? defaultHookRate, workspaceId })
      .returning();
    if (!row) throw new Error("The hook was not inserted");
    await recordConfigChange(tx, {
      workspaceId,
      event: "hook.created",
      actor: toActorRef(actor),
      subject: row.id,
      data: { new: hookInAudit(row) },
      requestId: actor.requestId,
    });
    return presentHook(row, actor);
  });
}
