import "server-only";
import { eq } from "drizzle-orm";
import type { Hook, HookDraft } from "@/contracts/hooks";
import { hooks, workspaces } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Holder, refOf } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { demandUsableHook } from "./demand-usable-hook";
import { hookInAudit } from "./hook-in-audit";
import { presentHook } from "./present-hook";

const mostHooks = 200;

/** Adds a hook. @throws AppError `invalid` for one that could not do its work, `conflict` beyond 200 hooks */
export async function createHook(actor: Holder<"hooks:write">, draft: HookDraft): Promise<Hook> {
  const { workspaceId } = actor;
  return db().transaction(async (tx) => {
    // Two who add at once are counted one after the other.
    await tx.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, workspaceId)).for("no key update");
    if ((await tx.$count(hooks, eq(hooks.workspaceId, workspaceId))) >= mostHooks) {
      throw new AppError("conflict", `A workspace has at most ${mostHooks} hooks. Remove one that is not needed any more.`);
    }
    await demandUsableHook(tx, workspaceId, draft);
    const [row] = await tx
      .insert(hooks)
      .values({ ...draft, workspaceId })
      .returning();
    if (!row) throw new Error("The hook was not inserted");
    await recordConfigChange(tx, {
      workspaceId,
      event: "hook.created",
      actor: refOf(actor),
      subject: row.id,
      data: { new: hookInAudit(row) },
      requestId: actor.requestId,
    });
    return presentHook(row, actor);
  });
}
