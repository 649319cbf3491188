import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport as OldTransportFace } from "@modelcontextprotocol/sdk/shared/transport.js";
import { requirePermission } from "@/server/auth/actor";
import { createApiKey } from "@/server/auth/api-keys/create-api-key";
import { handleMcp } from "@/server/mcp/serve/handle-mcp";
import type { BuiltWorkspace } from "../builders";

const url = new URL("http://localhost:3000/mcp");
const info = { name: "test-client", version: "1.2.3" };

/** Sends a request to the endpoint as an HTTP server hands it over. */
export function requestMcp(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!headers.has("host")) headers.set("host", "localhost:3000");
  return handleMcp(new Request(input, { ...init, headers }));
}

/** Creates an API key of the workspace's default agent, and returns its text. */
export async function buildMcpKey({ admin, agent }: BuiltWorkspace, name = "mcp"): Promise<string> {
  const scopes = ["turns:write" as const, "tools:read" as const];
  return (await createApiKey(requirePermission(admin, "admin"), { name, scopes, agentId: agent.id })).key;
}

type Nothing = Record<string, never>;
type Capabilities = { elicitation?: { url?: Nothing; form?: Nothing }; sampling?: Nothing; roots?: Nothing };

/** Connects the official client of revision 2026-07-28; `elicit` answers what the server wants from the user. */
export async function connectStateless(
  key: string,
  {
    capabilities = {},
    headers = {},
    onUrl,
  }: { capabilities?: Capabilities; headers?: Record<string, string>; onUrl?: (url: string) => void } = {},
): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode: "auto" }, capabilities });
  if (onUrl) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      if ("url" in params) onUrl(params.url);
      return { action: "accept" };
    });
  }
  await client.connect(
    new StreamableHTTPClientTransport(url, { fetch: requestMcp, requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } } }),
  );
  return client;
}

/** Connects the official client of revision 2025-11-25, with a session. */
export async function connectSession(key: string, { capabilities = {} }: { capabilities?: Capabilities } = {}) {
  const client = new OldClient(info, { capabilities });
  const transport = new OldTransport(url, { fetch: requestMcp, requestInit: { headers: { authorization: `Bearer ${key}` } } });
  await client.connect(transport as OldTransportFace);
  return { client, transport };
}

type Params = { name?: string; taskId?: string; [more: string]: unknown };

/** Sends one request of revision 2026-07-28 as it stands on the wire, with more headers or a signal, and returns the answer. */
export async function sendStateless(key: string, method: string, params: Params, capabilities: object, init: RequestInit = {}) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": info,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const response = await requestMcp(url, {
    ...init,
    method: "POST",
    headers: {
      ...init.headers,
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": params.name ?? params.taskId ?? "",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
  });
  return response.json();
}
