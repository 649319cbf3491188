import "server-only";
import { z } from "zod";
import type { Json, JsonObject } from "@/contracts/common";
import { bootId, newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { onReplicaMessage, sendToReplica } from "@/server/replicas/mailbox";
import type { ClientReply } from "@/server/tools/calling-client";
import type { McpClient } from "./mcp-client";

const topic = "mcp.client-replies";

type Waiting = { actorId: string; reply: (reply: ClientReply) => void };

/** The requests that clients of this replica have not answered yet, by id. */
const waiting = () => processWide("mcp.clientRequests", () => new Map<string, Waiting>());

const jsonObject = z.record(z.string(), z.json()) as z.ZodType<JsonObject>;
const Relayed = z.object({ id: z.string(), actorId: z.string(), answer: jsonObject });

/** Creates the id of a request to a client. It names this replica, because any replica may receive the answer. */
export const newRequestId = (): string => `handrail:${bootId()}:${newId()}`;

/** Calls back with the client's answer to a request. @returns a function that stops waiting */
export function awaitReply(id: string, { actor }: McpClient, reply: Waiting["reply"]): () => void {
  onReplicaMessage(topic, (body) => settle(Relayed.parse(body)));
  waiting().set(id, { actorId: actor.id, reply });
  return () => void waiting().delete(id);
}

/** Hands answers of a client to the calls that wait for them, on whichever replica those run. Answers that nobody waits for are ignored. */
export async function takeReplies({ actor }: McpClient, messages: readonly unknown[]): Promise<void> {
  for (const message of messages) {
    const { success, data } = Response.safeParse(message);
    if (!success) continue;
    await passReply({ id: data.id, actorId: actor.id, answer: data as JsonObject });
  }
}

/** Passes one answer on: a result, or an error of the protocol. */
export async function passReply(answer: z.infer<typeof Relayed>): Promise<void> {
  const [prefix, replica = ""] = answer.id.split(":");
  if (prefix !== "handrail") return;
  if (replica === bootId()) return settle(answer);
  if (!z.uuid().safeParse(replica).success) return;
  await sendToReplica(replica, topic, answer as unknown as Json);
}

const Response = z.looseObject({ id: z.string().startsWith("handrail:"), method: z.undefined().optional() });
const Failure = z.object({ error: z.object({ code: z.number(), message: z.string() }) });
const Success = z.object({ result: jsonObject });

function settle({ id, actorId, answer }: z.infer<typeof Relayed>): void {
  const request = waiting().get(id);
  // Another key cannot answer for this one, even when it knows the id.
  if (!request || request.actorId !== actorId) return;
  const [success, failure] = [Success.safeParse(answer), Failure.safeParse(answer)];
  if (success.success) request.reply({ kind: "answered", result: success.data.result });
  else if (failure.success) request.reply({ kind: "refused", ...failure.data.error, message: failure.data.error.message.slice(0, 1_000) });
  else log().debug({ id }, "a client answered with something that is no response");
}
