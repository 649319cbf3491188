import "server-only";
import { eq } from "drizzle-orm";
import type { Hook } from "@/contracts/hooks/hooks";
import { hooks, workspaces } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { hooksInOrder } from "./find-hook";
import { presentHook } from "./present-hook";

/** Distance between neighbours, so that a hook can be inserted without renumbering the others. */
const step = 10;

/**
 * Renumbers the hooks so that they run in the order of `ids`.
 * @throws AppError `invalid` for a repeated id, `conflict` when the ids are not exactly the existing hooks
 */
export async function orderHooks(actor: Authorized<"hooks:write">, ids: readonly string[]): Promise<{ items: Hook[]; nextCursor: null }> {
  const { workspaceId } = actor;
  if (new Set(ids).size !== ids.length) {
    const message = "name each hook once";
    throw new AppError("invalid", "The order names a hook twice. Name each hook once.", { errors: [{ path: "ids", message }] });
  }
  return db().transaction(async (tx) => {
    await tx.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, workspaceId)).for("no key update");
    const before = await hooksInOrder(tx, workspaceId);
    const known = new Set(before.map(({ id }) => id));
    if (ids.length !== before.length || ids.some((id) => !known.has(id))) {
      throw new AppError("conflict", "The hooks are not those of your list any more. Reload the hooks, then repeat your change.");
    }
    for (const { id, order, version } of before) {
      const place = (ids.indexOf(id) + 1) * step;
      if (place === order) continue;
      const change = { order: place, version: version + 1 };
      await tx.update(hooks).set(change).where(eq(hooks.id, id));
    }
    await recordConfigChange(tx, {
      workspaceId,
      event: "hooks.reordered",
      actor: toActorRef(actor),
      subject: null,
      data: { old: before.map(({ id }) => id), new: [...ids] },
      requestId: actor.requestId,
    });
    return { items: (await hooksInOrder(tx, workspaceId)).map((row) => presentHook(row, actor)), nextCursor: null };
  });
}
