import "server-only";
import { and, eq } from "drizzle-orm";
import { hooks } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { versionedCache } from "@/server/platform/signals/versioned-cache";
import { compileHooks, type HooksByEvent, noHooks } from "./compile-hook";

/** Loads the hooks of a workspace and caches them until the workspace's configuration changes. */
export const loadHooks: (workspaceId: string, version?: number) => Promise<HooksByEvent> = versionedCache("hooks", async (workspaceId) => {
  const rows = await db()
    .select()
    .from(hooks)
    .where(and(eq(hooks.workspaceId, workspaceId), eq(hooks.enabled, true)));
  return rows.length === 0 ? noHooks : compileHooks(rows);
});
