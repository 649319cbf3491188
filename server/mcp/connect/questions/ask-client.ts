import "server-only";
import { type CreateMessageResult, type ElicitResult, isSpecType, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { record } from "@/server/audit/record";
import { db } from "@/server/platform/database/database";
import type { CallingClient, ClientAnswer, ClientReply } from "@/server/tools/calling-client";
import type { CallOrigin } from "@/server/tools/define-tool";
import { storableJson } from "../schemas/input-schema";
import { safeAddress } from "./elicit";
import { formMismatch } from "./form-mismatch";
import { type ClientAnswers, type Elicit, unanswered } from "./running-calls";

type Asking = { alias: string; client: CallingClient; origin: CallOrigin; onUnanswered: (why: string) => void };

/** Makes the function that asks the calling client for a server. Each answer is audited, with the client that gave it. */
export function clientAnswersOf({ alias, client, origin, onUnanswered }: Asking): ClientAnswers {
  const can = (answer: ClientAnswer) => client.answers.includes(answer);
  const ask = async (kind: ClientAnswer, method: string, params: unknown, signal: AbortSignal, key?: string) => {
    const asked = { method, params: storableJson(params) as JsonObject, ...(key === undefined ? {} : { key }) };
    const reply = await client.request(asked, signal);
    signal.throwIfAborted();
    const fault = kind === "form" ? faultOf(reply, params) : null;
    const outcome = fault === null ? outcomeOf(reply) : "invalid";
    await auditAnswer({ alias, origin }, { kind, where: "client", client: client.name, outcome });
    if (fault !== null)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The answer of ${client.name} does not fit the form: ${fault}.`);
    if (reply.kind === "expired") onUnanswered(`${client.name} did not answer within ${reply.seconds} seconds.`);
    return reply;
  };
  return {
    can,
    elicit: async (params, signal, key) => {
      const kind = params.mode === "url" ? "url" : "form";
      if (!can(kind) || (params.mode === "url" && safeAddress(params.url) === null)) return null;
      const reply = await ask(kind, "elicitation/create", params, signal, key);
      if (reply.kind === "expired") return unanswered;
      return readResult(reply, isSpecType.ElicitResult) as ElicitResult | null;
    },
    sample: async (params, signal, key) => {
      if (!can("sampling")) return null;
      const reply = await ask("sampling", "sampling/createMessage", params, signal, key);
      // The user of the client has refused, which no model of the workspace should undo.
      if (reply.kind === "refused") throw new ProtocolError(reply.code, reply.message);
      return readResult(reply, isSpecType.CreateMessageResult) as CreateMessageResult | null;
    },
    roots: async (signal, key) => {
      if (!can("roots")) return null;
      const reply = await ask("roots", "roots/list", {}, signal, key);
      return readResult(reply, isSpecType.ListRootsResult);
    },
  };
}

/** Compares an accepted form with its schema, as both sides of the protocol should. @returns null for an answer that fits */
function faultOf(reply: ClientReply, params: unknown): string | null {
  const isAccepted = reply.kind === "answered" && reply.result.action === "accept";
  const schema = isJsonObject(params) ? params.requestedSchema : undefined;
  if (!isAccepted || !isJsonObject(schema)) return null;
  const content = reply.result.content ?? {};
  return isJsonObject(content) ? formMismatch(schema, content) : "its content is no object";
}

/** Returns the answer of a client; null without one, and for one that is not of the protocol. */
function readResult<T>(reply: ClientReply, isResult: (value: unknown) => value is T): T | null {
  const result: unknown = reply.kind === "answered" ? reply.result : null;
  return isResult(result) ? result : null;
}

/** Asks the client first, and people in the console when it cannot answer. A question that may be another call's goes to people only. */
export function clientFirst(client: ClientAnswers | null, console: Elicit | null): Elicit | null {
  if (!client?.can("form") && !client?.can("url")) return console;
  return async (params, signal, ofSeveral = false, key) => {
    const answer = ofSeveral ? null : await client.elicit(params, signal, key);
    return answer ?? (console ? console(params, signal, ofSeveral) : unanswered);
  };
}

/** Records that people answered a server's question in the console. */
export function auditedConsole(asker: { alias: string; origin: CallOrigin | undefined }, elicit: Elicit): Elicit {
  return async (params, signal, ofSeveral) => {
    const answer = await elicit(params, signal, ofSeveral);
    const kind = params.mode === "url" ? "url" : "form";
    if (asker.origin) await auditAnswer({ ...asker, origin: asker.origin }, { kind, where: "console", outcome: answer.action });
    return answer;
  };
}

function outcomeOf(reply: ClientReply): string {
  if (reply.kind !== "answered") return reply.kind;
  return isJsonObject(reply.result) && typeof reply.result.action === "string" ? reply.result.action.slice(0, 20) : "answered";
}

function auditAnswer({ alias, origin }: { alias: string; origin: CallOrigin }, data: JsonObject): Promise<void> {
  const { workspaceId, conversationId, requestedBy } = origin;
  const asked = { event: "mcp_server.question_answered" as const, actor: requestedBy, subject: alias, source: `mcp:${alias}` };
  return record(db(), { workspaceId, ...asked, conversationId, data });
}
