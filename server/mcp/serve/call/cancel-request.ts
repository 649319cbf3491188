import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { and, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import { toolCalls, turns } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { findClientConversation } from "../client/client-conversation";
import type { McpClient } from "../client/mcp-client";
import { cancelRunning, runtimeIdOf } from "./running-calls";
import { withdrawCall } from "./withdraw-call";

/** A turn that only reads is stored after this time at the latest. */
const storedWithinMs = 100;

const Cancellation = z.object({
  method: z.literal("notifications/cancelled"),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

/** Cancels the turns of the requests that `notifications/cancelled` messages name, on whatever replica they run. */
export async function cancelRequests(client: McpClient, messages: readonly unknown[]): Promise<void> {
  // Request ids are unique within a session only.
  if (!client.session) return;
  for (const message of messages) {
    const cancellation = Cancellation.safeParse(message);
    if (cancellation.success) await cancelRequest(client, cancellation.data.params.requestId);
  }
}

async function cancelRequest(client: McpClient, requestId: string | number): Promise<void> {
  const runtimeId = runtimeIdOf(client, requestId);
  if (cancelRunning(runtimeId)) return;
  const turnId = (await findRunning(client, runtimeId)) ?? (await findLater(client, runtimeId));
  if (turnId) await withdrawCall(client, turnId, client.signal);
}

/** Another replica may not have stored the turn yet. */
async function findLater(client: McpClient, runtimeId: string): Promise<string | undefined> {
  await pause(storedWithinMs);
  return findRunning(client, runtimeId);
}

async function findRunning(client: McpClient, runtimeId: string): Promise<string | undefined> {
  const conversationId = await findClientConversation(client);
  if (conversationId === null) return undefined;
  const [running] = await db()
    .select({ turnId: turns.id })
    .from(turns)
    .innerJoin(toolCalls, eq(toolCalls.turnId, turns.id))
    .where(
      and(eq(turns.conversationId, conversationId), inArray(turns.status, ["running", "suspended"]), eq(toolCalls.runtimeId, runtimeId)),
    );
  return running?.turnId;
}
