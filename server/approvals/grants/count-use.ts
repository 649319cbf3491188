import "server-only";
import { eq, sql } from "drizzle-orm";
import { grants } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { log } from "@/server/platform/log";

/** Counts a call that runs because of a grant. A failure is only logged, because the call's decision names the grant. */
export async function countUse(grantId: string): Promise<void> {
  try {
    await db()
      .update(grants)
      .set({ uses: sql`${grants.uses} + 1`, lastUsedAt: sharedNow() })
      .where(eq(grants.id, grantId));
  } catch (error) {
    log().warn({ err: error, grantId }, "a use of a grant was not counted");
  }
}
