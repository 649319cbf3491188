import "server-only";
import {
  type CompleteRequestParams,
  type CompleteResult,
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
  type ServerContext,
  UriTemplate,
} from "@modelcontextprotocol/server";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { record } from "@/server/audit/record";
import { toActorRef } from "@/server/auth/actor";
import { mcpConnections } from "@/server/mcp/connect/connections/connections";
import type { ServerContents } from "@/server/mcp/connect/connections/upstream-calls";
import type { PromptAnswers } from "@/server/mcp/connect/content/read-contents";
import { linkingServers } from "@/server/mcp/connect/content/record-links";
import { explainFailure, findAnswerFault } from "@/server/mcp/connect/session/explain-failure";
import { withoutHidden } from "@/server/mcp/connect/text/clean-result";
import { sentData } from "@/server/mcp/connect/transport/sent-error";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import { ResultMask } from "@/server/secrets/mask-result";
import { appUriOf } from "@/server/tools/app-meta";
import type { ClientAnswer } from "@/server/tools/calling-client";
import { loadCatalog } from "@/server/tools/catalog";
import { findClientConversation } from "../client/client-conversation";
import type { McpClient } from "../client/mcp-client";
import { type PromptState, stateCodec } from "../client/request-state";

type Offering = {
  id: string;
  alias: string;
  session: ServerContents;
  isOffered: boolean;
  /** Resources that the agent's tools of this server name as their user interface (MCP Apps). */
  interfaces: ReadonlySet<string>;
};

const maxItems = 2_000;
const separator = "__";

/** The servers whose results linked to a resource in the client's conversation. */
async function linkingServersOf(client: McpClient, uri: string): Promise<Set<string>> {
  const conversationId = await findClientConversation(client);
  return new Set(conversationId === null ? [] : await linkingServers(conversationId, uri));
}

/** The servers that offer their prompts and resources, by alias. */
const offerings = async (client: McpClient): Promise<Offering[]> => (await knownServers(client)).filter(({ isOffered }) => isOffered);

/** The connected servers of which the client's agent has a tool, by alias. */
async function knownServers({ actor }: McpClient): Promise<Offering[]> {
  const { agents } = await loadCatalog(actor.workspaceId);
  const agent = actor.agentId ? agents.get(actor.agentId) : [...agents.values()].find(({ isDefault }) => isDefault);
  const tools = [...(agent?.effective.values() ?? [])];
  const ofServer = Map.groupBy(tools, ({ sourceRef }) => sourceRef);
  return [...ofServer]
    .flatMap(([id, own]) => {
      if (id === null) return [];
      const connection = mcpConnections().find(id);
      const session = connection?.contents(toActorRef(actor));
      const server = connection?.server();
      const isOwn = server && server.workspaceId === actor.workspaceId;
      const interfaces = new Set(own.flatMap(({ meta }) => appUriOf(meta) ?? []));
      return isOwn && session ? [{ id, alias: server.alias, session, isOffered: server.offerContents, interfaces }] : [];
    })
    .sort((a, b) => (a.alias < b.alias ? -1 : 1));
}

/** Asks every offering server. One that does not answer is left out, because the others still do. */
async function ofEach<T>(client: McpClient, list: (offering: Offering) => Promise<T[]>): Promise<T[]> {
  const lists = (await offerings(client)).map((offering) =>
    list(offering).catch((error) => {
      log().warn({ server: offering.alias, reason: explainFailure(error) }, "the contents of an MCP server could not be listed");
      return [];
    }),
  );
  return (await Promise.all(lists)).flat().slice(0, maxItems);
}

/** Lists the prompts of offering servers, each under its server's alias. */
export function listPrompts(client: McpClient): Promise<Prompt[]> {
  return ofEach(client, async ({ alias, session }) =>
    (await session.listPrompts()).items.map(({ name, ...prompt }) => ({ name: `${alias}${separator}${name}`, ...prompt })),
  );
}

/** Lists the resources of offering servers, under their own addresses. */
export function listResources(client: McpClient): Promise<Resource[]> {
  return ofEach(client, async ({ session }) =>
    (await session.listResources()).items.flatMap(({ isTemplate, mimeType, size, ...resource }) =>
      isTemplate ? [] : [{ ...resource, ...(mimeType ? { mimeType } : {}), ...(size === null ? {} : { size }) }],
    ),
  );
}

export function listTemplates(client: McpClient): Promise<ResourceTemplateType[]> {
  return ofEach(client, async ({ session }) =>
    (await session.listResources()).items.flatMap(({ isTemplate, uri, name, description, mimeType }) =>
      isTemplate ? [{ uriTemplate: uri, name, description, ...(mimeType ? { mimeType } : {}) }] : [],
    ),
  );
}

/**
 * Fills in a prompt of an offering server. What the server asks first goes to a client that can answer it, because no call
 * waits for people meanwhile. @throws ProtocolError
 */
export async function getPrompt(
  client: McpClient,
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, string> },
  ctx: ServerContext,
): Promise<GetPromptResult | InputRequiredResult> {
  const { offering, own } = await ownerOf(client, name);
  await audit(client, offering, { kind: "prompt", name: own });
  const answers = promptAnswers(name, ctx);
  const filled = await withProtocolErrors(offering, () => offering.session.getPrompt(own, { args, answers }, client.signal));
  if (!("inputRequests" in filled)) return (await masked(filled)) as GetPromptResult;
  const requests = Object.entries(filled.inputRequests);
  if (!client.isStateless || requests.some(([, request]) => !mayAsk(client, request))) {
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, `${name} asks something that this client does not answer.`);
  }
  const requestState = await stateCodec<PromptState>(client).mint({ prompt: name, state: filled.state }, ctx);
  return inputRequired({ requestState, inputRequests: (await masked(filled.inputRequests)) as InputRequests });
}

type InputRequests = NonNullable<Parameters<typeof inputRequired>[0]["inputRequests"]>;

/** @throws ProtocolError for the state of another request */
function promptAnswers(name: string, { mcpReq }: ServerContext): PromptAnswers | null {
  if (!mcpReq.inputResponses) return null;
  const state = mcpReq.requestState<PromptState>();
  if (state && state.prompt !== name) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "requestState belongs to another request. Repeat the same name with it.");
  }
  return { inputResponses: mcpReq.inputResponses as JsonObject, state: state?.state ?? null };
}

const answerOf: Readonly<Record<string, ClientAnswer>> = { "sampling/createMessage": "sampling", "roots/list": "roots" };

function mayAsk({ answers }: McpClient, request: unknown): boolean {
  if (!isJsonObject(request)) return false;
  const isUrl = isJsonObject(request.params) && request.params.mode === "url";
  const needed = request.method === "elicitation/create" ? (isUrl ? "url" : "form") : answerOf[String(request.method)];
  return needed !== undefined && answers.includes(needed);
}

/** The connected servers that offer their contents to the client's agent. */
export async function offeringServers(client: McpClient): Promise<string[]> {
  return (await offerings(client)).map(({ id }) => id);
}

/** Finds the server that has a resource which the client may read; null when there is none. */
export async function findResourceOwner(client: McpClient, uri: string): Promise<string | null> {
  const linking = await linkingServersOf(client, uri);
  for (const offering of await knownServers(client)) if (await mayRead(offering, uri, linking)) return offering.id;
  return null;
}

/** Tells whether a result linked to the resource, a tool shows it as its interface, or its server offers and lists it. */
async function mayRead(offering: Offering, uri: string, linking: ReadonlySet<string>): Promise<boolean> {
  if (linking.has(offering.id) || offering.interfaces.has(uri)) return true;
  if (!offering.isOffered) return false;
  // Without its list nobody knows whether the resource is there.
  const listing = await withProtocolErrors(offering, () => offering.session.listResources());
  return listing.items.some((resource) => (resource.isTemplate ? isOf(resource.uri, uri) : resource.uri === uri));
}

/**
 * Reads a resource from the first server that has it: a result of the client's conversation linked to it there, or the server
 * offers its contents and lists the address or a template of it. Null when there is none.
 */
export async function readUpstreamResource(client: McpClient, uri: string): Promise<ReadResourceResult | null> {
  const linking = await linkingServersOf(client, uri);
  for (const offering of await knownServers(client)) {
    if (!(await mayRead(offering, uri, linking))) continue;
    await audit(client, offering, { kind: "resource", uri });
    const parts = await withProtocolErrors(offering, () => offering.session.readResource(uri, client.signal));
    if (parts.length === 0) return null;
    const contents = parts.map(({ mimeType, meta, ...part }) => ({
      uri: part.uri || uri,
      ...(mimeType ? { mimeType } : {}),
      ...(meta ? { _meta: meta } : {}),
      ...("text" in part ? { text: withoutHidden(part.text) } : { blob: part.bytes.toString("base64") }),
    }));
    return (await masked({ contents })) as ReadResourceResult;
  }
  return null;
}

/** Completes an argument of a prompt, or of a template of a resource, at the server that has it. @throws ProtocolError */
export async function completeArgument(client: McpClient, { ref, ...params }: CompleteRequestParams): Promise<CompleteResult> {
  if (ref.type === "ref/prompt") {
    const { offering, own } = await ownerOf(client, ref.name);
    const asked = { ref: { ...ref, name: own }, ...params };
    return { completion: await withProtocolErrors(offering, () => offering.session.complete(asked, client.signal)) };
  }
  for (const offering of await offerings(client)) {
    const listing = await withProtocolErrors(offering, () => offering.session.listResources());
    if (!listing.items.some(({ uri }) => uri === ref.uri)) continue;
    return { completion: await withProtocolErrors(offering, () => offering.session.complete({ ref, ...params }, client.signal)) };
  }
  return { completion: { values: [] } };
}

async function ownerOf(client: McpClient, name: string): Promise<{ offering: Offering; own: string }> {
  for (const offering of await offerings(client)) {
    const prefix = `${offering.alias}${separator}`;
    if (name.startsWith(prefix)) return { offering, own: name.slice(prefix.length) };
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such prompt. Send a name of prompts/list.");
}

/** Matches an address against a template; a template that cannot be read matches nothing. */
function isOf(template: string, uri: string): boolean {
  try {
    return new UriTemplate(template).match(uri) !== null;
  } catch {
    return false;
  }
}

/** An error that an upstream answered with: its code and its data. */
export class UpstreamError extends ProtocolError {}

/** An error of the server itself reaches the client with its code and data, secrets masked; any other failure as a sentence. */
async function withProtocolErrors<T>({ alias }: Offering, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!ProtocolError.isInstance(error) || findAnswerFault(error) !== null)
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${alias} gave no answer. ${explainFailure(error)}`);
    throw new UpstreamError(error.code, (await masked(error.message)) as string, await masked(sentData(error)));
  }
}

const bytes = new Set(["blob", "data"]);

/** Masks secrets in texts as in results; bytes stay as they are. */
async function masked(value: unknown, mask = new ResultMask()): Promise<unknown> {
  if (typeof value === "string") return mask.maskText(value);
  if (Array.isArray(value)) return Promise.all(value.map((member) => masked(member, mask)));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(async ([name, member]) => [name, bytes.has(name) ? member : await masked(member, mask)]);
  return Object.fromEntries(await Promise.all(members));
}

function audit({ actor }: McpClient, { alias }: Offering, data: { kind: string; name?: string; uri?: string }): Promise<void> {
  const { workspaceId, requestId } = actor;
  const read = { event: "mcp_server.content_read" as const, actor: toActorRef(actor), subject: alias, source: `mcp:${alias}`, data };
  return record(db(), { workspaceId, ...read, requestId });
}
