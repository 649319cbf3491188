import "server-only";
import { eq, sql } from "drizzle-orm";
import { grants } from "@/db/schema";
import { db } from "@/server/platform/database";
import { log } from "@/server/platform/log";

/** Counts a call that runs because of a grant. Which call it was stands in the call's decision; a lost count stops nobody. */
export async function countUse(grantId: string): Promise<void> {
  try {
    await db()
      .update(grants)
      .set({ uses: sql`${grants.uses} + 1`, lastUsedAt: new Date() })
      .where(eq(grants.id, grantId));
  } catch (error) {
    log().warn({ err: error, grantId }, "a use of a grant was not counted");
  }
}
