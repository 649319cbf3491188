import "server-only";
import { eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { messengerOutbound, messengers } from "@/db/schema";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import type { MessengerRow } from "./account";

type Part = Pick<typeof messengerOutbound.$inferSelect, "id" | "content">;

/** Ends a part that did not arrive, or may not have, with the reason for the log, the messenger and the audit. */
export async function endPart(tx: Db, messenger: MessengerRow, part: Part, status: "unknown" | "failed", error: string): Promise<void> {
  await tx.update(messengerOutbound).set({ status, error, claimedBy: null }).where(eq(messengerOutbound.id, part.id));
  await tx.update(messengers).set({ lastError: error, lastErrorAt: sql`now()` }).where(eq(messengers.id, messenger.id));
  await record(tx, {
    workspaceId: messenger.workspaceId,
    event: status === "unknown" ? "messenger.part_unknown" : "messenger.part_failed",
    actor: systemActor,
    subject: messenger.id,
    data: { messenger: messenger.name, part: part.id, kind: part.content.kind, error },
  });
}
