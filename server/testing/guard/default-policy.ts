import { eq } from "drizzle-orm";
import { guardConfig } from "@/db/schema";
import { db } from "@/server/platform/database/database";

/** Lets the guard of a workspace allow calls that no rule and no detector matches. */
export const allowByDefault = (workspaceId: string) =>
  db().update(guardConfig).set({ defaultPolicy: "allow" }).where(eq(guardConfig.workspaceId, workspaceId));
