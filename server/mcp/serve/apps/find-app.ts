import "server-only";
import { LRUCache } from "lru-cache";
import type { JsonObject } from "@/contracts/common";
import type { Call, Turn } from "@/contracts/turns/turns";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { mcpConnections } from "@/server/mcp/connect/connections/connections";
import type { ResourcePart } from "@/server/mcp/connect/content/read-resource";
import { explainFailure } from "@/server/mcp/connect/session/explain-failure";
import { withoutHidden } from "@/server/mcp/connect/text/clean-result";
import { db } from "@/server/platform/database/database";
import { AppError, isAppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import { ResultMask } from "@/server/secrets/mask-result";
import { appUriOf } from "@/server/tools/app-meta";
import { loadCatalog } from "@/server/tools/catalog";
import type { RegisteredTool } from "@/server/tools/registered-tool";
import { getTurn } from "@/server/turns/read/load-turn";

export type AppOfCall = { turn: Turn; call: Call; tool: RegisteredTool; serverId: string; uri: string };
export type CallPlace = { turnId: string; callId: string };
export type AppPage = { html: string; meta: JsonObject | null };

const maxPages = 50;
/** A page is read twice when an app is shown: for its facts and for its frame. */
const pageLifeMs = 30_000;
const maxPageCharacters = 5_000_000;

/** Finds the call of a turn that the actor may see. @throws AppError `not_found` */
export async function findCall(actor: Authorized<"turns:read">, { turnId, callId }: CallPlace): Promise<{ turn: Turn; call: Call }> {
  const turn = await getTurn(actor, turnId);
  const call = turn.calls.find((one) => one.callId === callId);
  if (!call) throw new AppError("not_found", "This turn has no such call.");
  return { turn, call };
}

/**
 * Finds the app of a call that succeeded: the `ui://` resource that its tool names.
 * @throws AppError `not_found` for a call or tool without one, or a tool whose definition nobody accepted
 */
export async function findApp(actor: Authorized<"turns:read">, place: CallPlace): Promise<AppOfCall> {
  const { turn, call } = await findCall(actor, place);
  const { tools } = await loadCatalog(actor.workspaceId);
  const tool = tools.find(({ name }) => name === call.name);
  const uri = appUriOf(tool?.meta);
  if (!tool?.sourceRef || uri === null || tool.quarantine) throw new AppError("not_found", `${call.name} has no app.`);
  if (call.status !== "succeeded") throw new AppError("not_found", `${call.name} shows its app once a call of it has succeeded.`);
  return { turn, call, tool, serverId: tool.sourceRef, uri };
}

const pages = () => processWide("mcp.appPages", () => new LRUCache<string, Promise<AppPage>>({ max: maxPages, ttl: pageLifeMs }));

/** Reads the page of an app at its server, in the asker's own session where each person signs in. @throws AppError */
export async function readAppPage(actor: Authorized<"turns:read">, { serverId, uri }: AppOfCall): Promise<AppPage> {
  const key = JSON.stringify([actor.workspaceId, serverId, uri, actor.type, actor.id]);
  const known = pages().get(key);
  if (known) return known;
  const reading = fetchPage(actor, serverId, uri);
  pages().set(key, reading);
  reading.catch(() => pages().delete(key));
  return reading;
}

async function fetchPage(actor: Authorized<"turns:read">, serverId: string, uri: string): Promise<AppPage> {
  const { workspaceId, requestId } = actor;
  const connection = mcpConnections().find(serverId);
  const server = connection?.server();
  const session = server?.workspaceId === workspaceId ? connection?.contents(toActorRef(actor)) : null;
  if (!server || !session) throw new AppError("unavailable", "The MCP server of this app is not connected. Try again later.");
  const { alias } = server;
  const asked = { event: "mcp_server.content_read" as const, actor: toActorRef(actor), subject: alias, source: `mcp:${alias}` };
  await record(db(), { workspaceId, ...asked, data: { kind: "app", uri }, requestId });
  const parts = await session.readResource(uri, AbortSignal.timeout(pageLifeMs)).catch((error) => {
    if (isAppError(error)) throw error;
    throw new AppError("unavailable", `${alias} did not give the page of its app. ${explainFailure(error)}`, { cause: error });
  });
  const part = parts.find(({ mimeType }) => /^text\/html\b/i.test(mimeType ?? ""));
  if (!part) throw new AppError("unavailable", `${alias} gave no HTML for its app ${uri}.`);
  const html = textOf(part);
  if (html.length > maxPageCharacters) throw new AppError("too_large", `The app of ${alias} is larger than 5 million characters.`);
  return { html: await new ResultMask().maskText(withoutHidden(html)), meta: part.meta ?? null };
}

const textOf = (part: ResourcePart): string => ("text" in part ? part.text : part.bytes.toString("utf8"));
