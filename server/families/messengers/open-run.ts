import "server-only";
import { and, eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import { runs } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { cancelOpenRun } from "@/server/runs/cancel-run";
import { openRun } from "@/server/runs/run-row";
import type { ChatRow } from "./chat-context";

type OfChat = { chat: Pick<ChatRow, "conversationId"> };

/** The open run of the chat's conversation. */
export async function findOpenRun({ chat }: OfChat) {
  if (!chat.conversationId) return undefined;
  const [run] = await db()
    .select({ id: runs.id, requestedBy: runs.requestedBy, status: runs.status })
    .from(runs)
    .where(and(eq(runs.conversationId, chat.conversationId), openRun));
  return run;
}

/** Stops the open run of a chat. @returns whether there was one */
export async function stopOpenRun(context: OfChat, by: ActorRef): Promise<boolean> {
  const run = await findOpenRun(context);
  if (!run) return false;
  await cancelOpenRun(by, run.id);
  return true;
}
