import "server-only";
import { isInputRequiredResult, ProtocolError, ProtocolErrorCode, Server, type ServerContext } from "@modelcontextprotocol/server";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { passedMeta } from "@/server/mcp/connect/content/passed-meta";
import { log } from "@/server/platform/log";
import { version } from "@/server/platform/version";
import { callTool } from "./call/call-tool";
import { findOutputSchema, fitOutput } from "./call/fit-output";
import { getResult, getResultTool } from "./call/get-result";
import type { ClientCall } from "./call/submit-call";
import { serveTasks } from "./call/tasks";
import type { Connection } from "./client/client-channel";
import { type McpClient, tasksExtension } from "./client/mcp-client";
import { stateCodec } from "./client/request-state";
import { rememberListing, rememberLogLevel, rememberSubscription } from "./client/sessions";
import { artifactTemplate, isArtifact, readArtifactResource } from "./contents/artifact-resources";
import {
  completeArgument,
  findResourceOwner,
  getPrompt,
  listPrompts,
  listResources,
  listTemplates,
  readUpstreamResource,
  UpstreamError,
} from "./contents/upstream-contents";
import { advertisedTools, instructionsOf, listForClient } from "./listing/list-tools";
import { withProtocolErrors } from "./with-protocol-errors";

const serverInfo = { name: "handrail", title: "Handrail", version };

/** The way back to a client of the older protocol while its request is open; set once the server is connected. */
export type Reach = {
  send?: (message: { id: string; method: string; params: Record<string, unknown> }, relatedRequestId: string | number) => Promise<void>;
  /** Codes of upstreams' errors by the request that they answer, because the SDK sends a missing resource under another one. */
  errorCodes?: Map<string | number, number>;
};

/**
 * Makes the protocol server of one request.
 * @param body the messages as they were sent: arguments are taken from there, because the SDK's parser may change them
 */
export async function makeServer(client: McpClient, body: unknown, reach: Reach = {}): Promise<Server> {
  const server = new Server(serverInfo, {
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      logging: {},
      completions: {},
      ...(client.isStateless ? { extensions: { [tasksExtension]: {} } } : {}),
    },
    ...(namesMethod(body, "initialize", "server/discover") ? { instructions: instructionsOf(await listForClient(client)) ?? "" } : {}),
    requestState: { verify: stateCodec(client).verify },
    inputRequired: { legacyShim: false },
  });
  server.setRequestHandler("tools/list", () =>
    withProtocolErrors(async () => {
      const listing = await listForClient(client);
      if (client.session) await rememberListing(client.session, listing.toolsHash);
      return { tools: advertisedTools(listing) };
    }),
  );
  server.setRequestHandler("tools/call", ({ params }, ctx) =>
    withProtocolErrors(async () => {
      const args = sentArguments(body, ctx.mcpReq.id) ?? {};
      const result =
        params.name === getResultTool.name
          ? await getResult(client, args, AbortSignal.any([client.signal, ctx.mcpReq.signal]))
          : await callTool(
              client,
              { name: params.name, arguments: args, ...readMeta(sentParams(body, ctx.mcpReq.id)?._meta) },
              { ctx, connection: connectionOf(ctx, reach) },
            );
      if (isInputRequiredResult(result) || "taskId" in result) return result;
      return fitOutput(server, result, await findOutputSchema(client, params.name));
    }),
  );
  server.setRequestHandler("logging/setLevel", ({ params: { level } }) =>
    withProtocolErrors(async () => {
      if (!client.session) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "A level belongs to a session. Send Mcp-Session-Id.");
      await rememberLogLevel(client.session, level);
      return {};
    }),
  );
  if (client.isStateless) serveTasks(server, client);
  // A call registers what it needs only, because each request has a server of its own.
  if (!isCall(body)) serveContents(server, client, reach);
  return server;
}

/** The connection of a call's request. What cannot be sent over it any more is dropped, because its client has left. */
function connectionOf({ mcpReq }: ServerContext, { send }: Reach): Connection {
  const drop = (error: unknown) => log().debug({ err: error }, "an MCP client could not be reached during its call");
  return {
    progressToken: mcpReq._meta?.progressToken ?? null,
    notify: (method, params) => void mcpReq.notify({ method, params }).catch(drop),
    ...(send ? { send: (message) => void send(message, mcpReq.id).catch(drop) } : {}),
  };
}

/** Registers the methods of prompts and resources: artifacts, and what upstream servers offer. */
function serveContents(server: Server, client: McpClient, { errorCodes }: Reach): void {
  const ofUpstream = <T>({ mcpReq }: ServerContext, work: () => Promise<T>): Promise<T> =>
    withProtocolErrors(work).catch((error) => {
      if (error instanceof UpstreamError) errorCodes?.set(mcpReq.id, error.code);
      throw error;
    });
  server.setRequestHandler("prompts/list", () => withProtocolErrors(async () => ({ prompts: await listPrompts(client) })));
  server.setRequestHandler("prompts/get", ({ params }, ctx) => ofUpstream(ctx, () => getPrompt(client, params, ctx)));
  server.setRequestHandler("completion/complete", ({ params }, ctx) => ofUpstream(ctx, () => completeArgument(client, params)));
  server.setRequestHandler("resources/list", () => withProtocolErrors(async () => ({ resources: await listResources(client) })));
  for (const method of ["resources/subscribe", "resources/unsubscribe"] as const) {
    server.setRequestHandler(method, ({ params: { uri } }) =>
      withProtocolErrors(() => follow(client, uri, method === "resources/subscribe")),
    );
  }
  server.setRequestHandler("resources/templates/list", () =>
    withProtocolErrors(async () => ({ resourceTemplates: [artifactTemplate, ...(await listTemplates(client))] })),
  );
  server.setRequestHandler("resources/read", ({ params: { uri } }, ctx) =>
    ofUpstream(ctx, async () => (isArtifact(uri) ? null : await readUpstreamResource(client, uri)) ?? readArtifactResource(client, uri)),
  );
}

/** Follows the changes of a resource, or no longer. Its stream tells them. @throws ProtocolError */
async function follow(client: McpClient, uri: string, isWanted: boolean): Promise<Record<string, never>> {
  if (!client.session)
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "A subscription belongs to a session. Send Mcp-Session-Id.");
  if (isWanted && (await findResourceOwner(client, uri)) === null) {
    throw new ProtocolError(ProtocolErrorCode.ResourceNotFound, "There is no such resource. Send an address of resources/list.", { uri });
  }
  await rememberSubscription(client.session, uri, isWanted);
  return {};
}

/** The messages of a body: one, or a batch. */
export const messagesOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body]);

/** Whether a body is one call of a tool. */
const isCall = (body: unknown): boolean => isJsonObject(body) && body.method === "tools/call";

function namesMethod(body: unknown, ...methods: string[]): boolean {
  return messagesOf(body).some((message) => isJsonObject(message) && methods.includes(String(message.method)));
}

function sentParams(body: unknown, id: string | number): Record<string, unknown> | null {
  const request = messagesOf(body).find((message) => isJsonObject(message) && message.id === id);
  return isJsonObject(request) && isJsonObject(request.params) ? request.params : null;
}

function sentArguments(body: unknown, id: string | number): JsonObject | null {
  const params = sentParams(body, id);
  return isJsonObject(params?.arguments) ? params.arguments : null;
}

const keyForm = /^[\x21-\x7e]{1,200}$/;

/** Reads the `_meta` of a call: what is for Handrail, and what is for the tool's server. */
function readMeta(sent: unknown): Pick<ClientCall, "idempotencyKey" | "meta"> {
  const { "handrail/idempotencyKey": key = null, ...rest } = isJsonObject(sent) ? sent : {};
  if (key === null || (typeof key === "string" && keyForm.test(key))) return { idempotencyKey: key, meta: passedMeta(rest) };
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "_meta.handrail/idempotencyKey takes 1 to 200 visible ASCII characters.");
}
