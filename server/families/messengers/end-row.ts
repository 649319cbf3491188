import "server-only";
import { eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { messengerInbound } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { maskInText } from "@/server/secrets/mask-secrets";
import type { InboundRow } from "./chat-context";

type Ended = "done" | "ignored" | "refused" | "failed";

/** Ends a row. Its text stays for the log, with secrets masked; the conversation has the message. */
export async function endRow(
  row: Pick<InboundRow, "id" | "text">,
  status: Ended,
  { tx = db(), error = null, ...also }: { tx?: Db; error?: string | null; runId?: string } = {},
): Promise<void> {
  await tx
    .update(messengerInbound)
    .set({ status, error, doneAt: sql`now()`, text: maskInText(row.text), prompt: null, ...also })
    .where(eq(messengerInbound.id, row.id));
}
