import type { JsonObject } from "@/contracts/common";
import type { webhookDeliveries } from "@/db/schema";

/** Builds the body: the event in an envelope with its name, time and workspace. Equal for each try. */
export function deliveryBody(row: typeof webhookDeliveries.$inferSelect): JsonObject {
  return {
    id: row.id,
    event: row.event,
    createdAt: row.createdAt.toISOString(),
    workspaceId: row.workspaceId,
    turnId: row.turnId,
    data: row.payload,
  };
}
