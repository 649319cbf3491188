import "server-only";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { JsonObject } from "@/contracts/common";
import { type Turn, TurnDraft } from "@/contracts/turns/turns";
import { requirePermission } from "@/server/auth/actor";
import { isForModels } from "@/server/tools/app-meta";
import { loadCatalog } from "@/server/tools/catalog";
import { submitTurn } from "@/server/turns/submit-turn";
import { openClientConversation } from "../client/client-conversation";
import type { McpClient } from "../client/mcp-client";

export type ClientCall = { name: string; arguments: JsonObject; idempotencyKey: string | null; meta: JsonObject | null };
type Submission = { runtimeId: string; signal: AbortSignal };

/** Shorter than the 60 s after which the SDKs' clients give up. */
const runSeconds = 45;
/** A client with tasks does other things meanwhile. */
const taskAfterSeconds = 0.5;

/** Submits a call as a turn of the client's conversation. @returns the turn as it stands when it rests or the time is up */
export async function submitCall(client: McpClient, call: ClientCall, { runtimeId, signal }: Submission): Promise<Turn> {
  const actor = requirePermission(client.actor, "turns:write");
  const seconds = client.isStateless && client.takesTasks ? taskAfterSeconds : runSeconds;
  const draft = TurnDraft.safeParse({
    calls: [{ id: runtimeId, name: call.name, arguments: call.arguments, ...(call.meta ? { meta: call.meta } : {}) }],
    wait: seconds,
  });
  if (!draft.success) {
    const isMeta = draft.error.issues.some(({ path }) => path.includes("meta"));
    const sentence = isMeta ? "_meta: send at most 16,384 characters of JSON." : "name: a tool's name has 1 to 200 characters.";
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);
  }
  // The client's program makes these calls for an app, because it hides such tools from its model.
  const registered = (await loadCatalog(actor.workspaceId)).find(call.name.trim());
  const isForItsApp = registered !== undefined && !isForModels(registered.meta);
  return submitTurn(actor, {
    ...(isForItsApp ? { appOf: registered.name } : {}),
    conversationId: await openClientConversation(client),
    draft: draft.data,
    idempotencyKey: call.idempotencyKey,
    signal,
    traceparent: client.traceparent,
  });
}
