import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Configuration } from "oidc-provider";

type Options = {
  /** Seconds for which access tokens are good. */
  lifeSeconds?: number;
  /** The authorization server registers clients by itself. */
  registersClients?: boolean;
  /** Clients that an operator registered. */
  clients?: Configuration["clients"];
};

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** The header in which the test's browser says who sits in front of it. */
const whoHeader = "x-test-person";
const hopLimit = 20;
const metadataPath = "/.well-known/oauth-protected-resource/mcp";

/**
 * Starts `oidc-provider`, a certified authorization server, at a port of its own: registration, PKCE, resource indicators,
 * `client_credentials`, rotated refresh tokens and revocation as it ships them. Only the consent is given by the test.
 */
export async function startAuthorizationServer(
  resource: () => string,
  { lifeSeconds = 3_600, registersClients = true, clients = [] }: Options = {},
) {
  let handle: Handler = (_request, response) => void response.writeHead(503).end();
  const { origin: issuer, close } = await listen((request, response) => handle(request, response));
  const log: string[] = [];
  const provider = new Provider(issuer, {
    clients,
    clientDefaults: { id_token_signed_response_alg: "RS256" },
    scopes: ["openid", "offline_access", "notes:read", "notes:write"],
    pkce: { required: () => true },
    ttl: { AccessToken: lifeSeconds, ClientCredentials: lifeSeconds, Interaction: 600, Session: 600, Grant: 86_400, RefreshToken: 86_400 },
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed("refresh_token"),
    findAccount: async (_context, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: registersClients },
      revocation: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => resource(),
        useGrantedResource: async () => true,
        getResourceServerInfo: async () => ({
          scope: "notes:read notes:write",
          audience: resource(),
          accessTokenFormat: "opaque",
          accessTokenTTL: lifeSeconds,
        }),
      },
    },
  });
  handle = async (request, response) => {
    log.push(`${request.method} ${new URL(request.url ?? "/", issuer).pathname}`);
    if (request.url?.startsWith("/interaction/")) await consent(provider, request, response, resource());
    else await provider.callback()(request, response);
  };
  return { issuer, provider, log, close };
}

/** Signs the person in who sits in front of the test's browser, and grants what the client asks for. */
async function consent(provider: Provider, request: IncomingMessage, response: ServerResponse, resource: string): Promise<void> {
  const details = await provider.interactionDetails(request, response);
  const accountId = String(request.headers[whoHeader]);
  const { client_id: clientId, scope } = details.params as { client_id: string; scope?: string };
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(["openid offline_access", scope ?? ""].join(" ").trim());
  grant.addResourceScope(resource, scope ?? "notes:read");
  const grantId = await grant.save();
  await provider.interactionFinished(request, response, { login: { accountId }, consent: { grantId } }, { mergeWithLastSubmission: false });
}

/** Opens the address as one person's browser, and returns the address of Handrail to which it is sent back. */
export async function browse(address: string, person: string): Promise<URL> {
  const jar = new Map<string, string>();
  let at = new URL(address);
  const { origin } = at;
  for (let hop = 0; hop < hopLimit; hop += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(at, { redirect: "manual", headers: { cookie, [whoHeader]: person } });
    for (const set of answer.headers.getSetCookie()) {
      const [name = "", ...value] = (set.split(";")[0] ?? "").split("=");
      jar.set(name, value.join("="));
    }
    const next = answer.headers.get("location");
    if (!next) throw new Error(`The authorization server answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
    at = new URL(next, at);
    if (at.origin !== origin) return at;
  }
  throw new Error("The authorization server sends the browser in circles");
}

type Rpc = { id?: number; method: string; params?: { name?: string; protocolVersion?: string } };
type Caller = { sub: string; scope: string };

/**
 * Starts an MCP server that takes only tokens which its authorization server made for it, and keeps each session to the person who
 * opened it. Its tools: `whoami` says who calls, `write_note` wants the scope `notes:write`.
 */
export async function startProtectedServer(options: Options = {}) {
  const sessions = new Map<string, string>();
  const seen = { strangers: 0, refusals: 0, calls: [] as string[] };
  let handle: Handler = () => {};
  const { origin, close } = await listen((request, response) => handle(request, response));
  const url = `${origin}/mcp`;
  let authorization = await startAuthorizationServer(() => url, options);
  const ended = [authorization];

  const gate = tokenGate(() => authorization.provider, url);

  handle = async (request, response) => {
    const json = (status: number, body: unknown, headers = {}) =>
      void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    const { pathname } = new URL(request.url ?? "/", origin);
    if (pathname === metadataPath) {
      return json(200, { resource: url, authorization_servers: [authorization.issuer], scopes_supported: ["notes:read"] });
    }
    if (pathname !== "/mcp") return json(404, {});
    const body = await bodyOf(request);
    const refuse = (status: number, rest: string) => {
      seen.refusals += 1;
      response.writeHead(status, { "www-authenticate": `Bearer resource_metadata="${origin}${metadataPath}", ${rest}` }).end();
    };
    const caller = await gate.callerOf(request);
    if (!caller) return refuse(401, 'scope="notes:read"');
    if (request.method !== "POST") return void response.writeHead(405).end();
    const rpc = JSON.parse(body) as Rpc;
    const named = request.headers["mcp-session-id"];
    if (rpc.method !== "initialize" && sessions.get(String(named)) !== caller.sub) {
      if (named !== undefined) seen.strangers += 1;
      return json(404, { jsonrpc: "2.0", id: rpc.id ?? null, error: { code: -32_001, message: "Session not found" } });
    }
    if (rpc.id === undefined) return void response.writeHead(202).end();
    if (rpc.params?.name === "write_note" && !caller.scope.split(" ").includes("notes:write")) {
      return refuse(403, 'error="insufficient_scope", scope="notes:write"');
    }
    const fresh = rpc.method === "initialize" ? randomUUID() : null;
    if (fresh) sessions.set(fresh, caller.sub);
    if (rpc.method === "tools/call") seen.calls.push(`${rpc.params?.name} by ${caller.sub}`);
    json(200, { jsonrpc: "2.0", id: rpc.id, ...answerTo(rpc, caller) }, fresh ? { "mcp-session-id": fresh } : {});
  };

  return {
    url,
    seen,
    endTokens: gate.endTokens,
    endGrant: gate.endGrant,
    sessionsOf: (sub: string) => [...sessions.values()].filter((owner) => owner === sub).length,
    authorization: () => authorization,
    /** Moves to another authorization server, as an operator would who changes the identity provider. */
    rotateIssuer: async () => {
      authorization = await startAuthorizationServer(() => url, options);
      ended.push(authorization);
      return authorization;
    },
    close: async () => {
      for (const one of ended) await one.close();
      await close();
    },
  };
}

/** Reads the tokens of requests: who calls, and whose tokens are over. */
function tokenGate(provider: () => Provider, url: string) {
  /** Tokens that came, with their account and grant; those in `over` are good no more. */
  const tokens = new Map<string, { sub: string; grantId: string | null }>();
  const over = new Set<string>();
  const callerOf = async (request: IncomingMessage): Promise<Caller | null> => {
    const text = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const { AccessToken, ClientCredentials } = provider();
    if (over.has(text)) return null;
    const token = await AccessToken.find(text);
    if (token?.aud === url) {
      tokens.set(text, { sub: token.accountId, grantId: token.grantId ?? null });
      return { sub: token.accountId, scope: token.scope ?? "" };
    }
    const machine = await ClientCredentials.find(text);
    if (machine?.aud !== url) return null;
    const sub = `client ${machine.clientId}`;
    tokens.set(text, { sub, grantId: null });
    return { sub, scope: machine.scope ?? "" };
  };
  /** Ends the access tokens of an account, as if their time were over. */
  const endTokens = (account: string) => {
    for (const [text, { sub }] of tokens) if (sub === account) over.add(text);
  };
  /** Ends the tokens of an account, and what could renew them, at the authorization server. */
  const endGrant = async (account: string) => {
    endTokens(account);
    const { RefreshToken } = provider();
    for (const { sub, grantId } of tokens.values()) if (sub === account && grantId) await RefreshToken.revokeByGrantId(grantId);
  };
  return { callerOf, endTokens, endGrant };
}

function answerTo({ method, params }: Rpc, { sub, scope }: Caller): object {
  const inputSchema = { type: "object", properties: {} };
  const annotations = { readOnlyHint: true };
  switch (method) {
    case "initialize": {
      const serverInfo = { name: "notes", version: "1.0.0" };
      return { result: { protocolVersion: params?.protocolVersion, capabilities: { tools: {}, resources: {} }, serverInfo } };
    }
    case "tools/list":
      return { result: { tools: ["whoami", "write_note"].map((name) => ({ name, inputSchema, annotations })) } };
    case "tools/call":
      return { result: { content: [{ type: "text", text: `${params?.name}: ${sub} with ${scope}` }] } };
    case "resources/list":
      return { result: { resources: [{ uri: `notes://${sub}/diary`, name: `Diary of ${sub}` }] } };
    case "resources/templates/list":
      return { result: { resourceTemplates: [] } };
    case "ping":
      return { result: {} };
    default:
      return { error: { code: -32_601, message: "Method not found" } };
  }
}

async function listen(handle: Handler) {
  const server = createServer((request, response) => {
    Promise.resolve(handle(request, response)).catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
