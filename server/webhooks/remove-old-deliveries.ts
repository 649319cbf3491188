import "server-only";
import { and, lt, ne } from "drizzle-orm";
import { webhookDeliveries } from "@/db/schema";
import { db } from "@/server/platform/database";

const keptDays = 30;
const dayMs = 86_400_000;

/** Shortens the log to the last 30 days. What still waits for a try stays. */
export async function removeOldDeliveries(now = new Date()): Promise<void> {
  const oldest = smallestIdOf(now.getTime() - keptDays * dayMs);
  await db()
    .delete(webhookDeliveries)
    .where(and(lt(webhookDeliveries.id, oldest), ne(webhookDeliveries.status, "pending")));
}

/** Ids are UUIDv7 and begin with their millisecond, so the primary key finds old rows. */
function smallestIdOf(milliseconds: number): string {
  const hex = milliseconds.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
