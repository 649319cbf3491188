import type { JsonObject } from "@/contracts/common";
import type { webhookDeliveries } from "@/db/schema";

/** What is sent: the event in an envelope that says what it is, when it happened and whose it is. The same at each try. */
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
