import "server-only";
import { and, eq } from "drizzle-orm";
import { hooks } from "@/db/schema";
import { db } from "@/server/platform/database";
import { versionedCache } from "@/server/platform/versioned-cache";
import { compileHooks, type HooksByEvent, noHooks } from "./compile-hook";

/** The hooks of a workspace, from memory until its configuration changes. */
export const hooksOf: (workspaceId: string, version?: number) => Promise<HooksByEvent> = versionedCache("hooks", async (workspaceId) => {
  const rows = await db()
    .select()
    .from(hooks)
    .where(and(eq(hooks.workspaceId, workspaceId), eq(hooks.enabled, true)));
  return rows.length === 0 ? noHooks : compileHooks(rows);
});
