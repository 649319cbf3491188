import "server-only";
import { and, asc, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { hooks } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import type { HookRow } from "./present-hook";

const ofWorkspace = (workspaceId: string, hookId: string) => and(eq(hooks.workspaceId, workspaceId), eq(hooks.id, hookId));

/** Loads a hook of the workspace. @throws AppError `not_found`, also for a hook of another workspace. */
export async function findHook(tx: Db, workspaceId: string, hookId: string): Promise<HookRow> {
  const [row] = await tx.select().from(hooks).where(ofWorkspace(workspaceId, hookId));
  if (!row) throw missing();
  return row;
}

/**
 * Loads a hook and locks its row until the transaction ends, for a change.
 * @param version from If-Match; null when the caller sent none
 * @throws AppError `not_found`, `stale_version`
 */
export async function lockHook(tx: Db, workspaceId: string, hookId: string, version: number | null): Promise<HookRow> {
  const [row] = await tx.select().from(hooks).where(ofWorkspace(workspaceId, hookId)).for("update");
  if (!row) throw missing();
  if (version !== null && version !== row.version) {
    throw new AppError(
      "stale_version",
      `The hook "${row.name}" was changed by somebody else meanwhile. Reload the hook, then repeat your change.`,
    );
  }
  return row;
}

/** Returns all hooks of a workspace in the order in which they run. */
export function hooksInOrder(tx: Db, workspaceId: string): Promise<HookRow[]> {
  return tx.select().from(hooks).where(eq(hooks.workspaceId, workspaceId)).orderBy(asc(hooks.order), asc(hooks.id));
}

const missing = () => new AppError("not_found", "This hook does not exist. It may have been removed; list the hooks.");
