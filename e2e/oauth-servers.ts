import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerMcp } from "./answer-mcp";

/** Departures from good manners that a test asks for. */
type Options = {
  /** The authorization server listens at another port than the MCP server. */
  isApart?: boolean;
  lifeSeconds?: number;
  /** The resource that the MCP server says it is. */
  resource?: string;
  /** The issuer that the authorization server says it is. */
  issuer?: string;
  registersClients?: boolean;
  pkceMethods?: string[];
  /** The challenge names its resource metadata. */
  namesMetadata?: boolean;
};

type Listener = { server: Server; origin: string };
type Grant = { clientId: string; scope: string; resource: string; family: string };
type Code = Grant & { redirectUri: string; challenge: string; isUsed: boolean };
type Access = Grant & { expiresAt: number };
type Refresh = Grant & { isUsed: boolean };

export type OAuthServers = Awaited<ReturnType<typeof startOAuthServers>>;

/**
 * Starts a strict authorization server and an MCP server that takes its tokens only. It checks client, redirect address,
 * PKCE, resource and scope, rotates refresh tokens, and revokes all tokens of a sign-in when a code or token comes twice.
 */
export async function startOAuthServers(options: Options = {}) {
  const clients = new Map<string, { redirectUris: string[]; secret: string | null }>();
  const codes = new Map<string, Code>();
  const access = new Map<string, Access>();
  const refresh = new Map<string, Refresh>();
  const log: string[] = [];
  const state = { refusesRenewal: false, isDown: false, revoked: 0, refusals: 0 };
  /** Access tokens that the MCP server has received. */
  const received = new Set<string>();
  const home: Listener = await listen((request, response) => serve(request, response));
  const apart: Listener = options.isApart ? await listen((request, response) => serve(request, response)) : home;
  const resource = `${home.origin}/mcp`;
  const issuer = apart.origin;

  const endFamily = (family: string) => {
    for (const tokens of [access, refresh]) for (const [token, grant] of tokens) if (grant.family === family) tokens.delete(token);
  };
  const issue = ({ clientId, scope, resource: audience, family }: Grant) => {
    const grant = { clientId, scope, resource: audience, family };
    const tokens = { access_token: `at_${randomUUID()}`, refresh_token: `rt_${randomUUID()}` };
    access.set(tokens.access_token, { ...grant, expiresAt: Date.now() + (options.lifeSeconds ?? 3_600) * 1_000 });
    refresh.set(tokens.refresh_token, { ...grant, isUsed: false });
    return { ...tokens, token_type: "Bearer", expires_in: options.lifeSeconds ?? 3_600, scope };
  };

  /** Returns why an authorization request is refused; null when a person may be asked. */
  const faultOf = (asked: URLSearchParams): string | null => {
    const client = clients.get(asked.get("client_id") ?? "");
    if (!client) return "unknown client";
    if (!client.redirectUris.includes(asked.get("redirect_uri") ?? "")) return "another redirect_uri than registered";
    if (asked.get("response_type") !== "code" || !asked.get("state")) return "no code asked for, or no state";
    if (asked.get("code_challenge_method") !== "S256" || !asked.get("code_challenge")) return "no PKCE with S256";
    return asked.get("resource") === resource ? null : "another resource";
  };

  /** Allows an authorization request. Returns the address that the browser is sent to. */
  const allow = (asked: URLSearchParams): URL => {
    const fault = faultOf(asked);
    if (fault) throw new Error(fault);
    const text = (name: string) => asked.get(name) ?? "";
    const code = randomUUID();
    codes.set(code, {
      clientId: text("client_id"),
      redirectUri: text("redirect_uri"),
      challenge: text("code_challenge"),
      resource: text("resource"),
      scope: text("scope") || "notes:read",
      family: randomUUID(),
      isUsed: false,
    });
    const back = new URL(text("redirect_uri"));
    for (const [name, value] of Object.entries({ code, state: text("state"), iss: issuer })) back.searchParams.set(name, value);
    return back;
  };

  const tokenAnswer = (form: URLSearchParams, clientId: string): object => {
    if (form.get("resource") !== resource) return { error: "invalid_target" };
    if (form.get("grant_type") === "refresh_token") {
      const before = refresh.get(form.get("refresh_token") ?? "");
      if (!before || before.clientId !== clientId || state.refusesRenewal) return { error: "invalid_grant" };
      if (before.isUsed) {
        endFamily(before.family);
        return { error: "invalid_grant", error_description: "refresh token used twice" };
      }
      before.isUsed = true;
      return issue(before);
    }
    const code = codes.get(form.get("code") ?? "");
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!code || code.clientId !== clientId) return { error: "invalid_grant" };
    if (code.isUsed) {
      endFamily(code.family);
      return { error: "invalid_grant", error_description: "code used twice" };
    }
    if (code.redirectUri !== form.get("redirect_uri") || code.challenge !== verifier) return { error: "invalid_grant" };
    code.isUsed = true;
    return issue(code);
  };

  const clientOf = (request: IncomingMessage, form: URLSearchParams): string | null => {
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    const [id = "", secret = null] = basic
      ? Buffer.from(basic, "base64").toString().split(":").map(decodeURIComponent)
      : [form.get("client_id") ?? "", form.get("client_secret")];
    return clients.get(id)?.secret === secret ? id : null;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", issuer);
    log.push(`${request.method} ${url.pathname}`);
    const json = (status: number, body: unknown, headers = {}) =>
      void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    const body = await bodyOf(request);
    if (url.pathname === "/mcp") return serveMcp(request, response, body);
    if (state.isDown) return json(503, { error: "temporarily_unavailable" });
    const form = new URLSearchParams(body);
    switch (url.pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        return json(200, { resource: options.resource ?? resource, authorization_servers: [issuer], scopes_supported: ["notes:read"] });
      case "/.well-known/oauth-authorization-server":
        return json(200, {
          issuer: options.issuer ?? issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          revocation_endpoint: `${issuer}/revoke`,
          ...(options.registersClients === false ? {} : { registration_endpoint: `${issuer}/register` }),
          response_types_supported: ["code"],
          code_challenge_methods_supported: options.pkceMethods ?? ["S256"],
          token_endpoint_auth_methods_supported: ["none", "client_secret_basic"],
          authorization_response_iss_parameter_supported: true,
        });
      case "/register": {
        const { redirect_uris } = JSON.parse(body) as { redirect_uris: string[] };
        const client_id = randomUUID();
        clients.set(client_id, { redirectUris: redirect_uris, secret: null });
        return json(201, { ...JSON.parse(body), client_id });
      }
      case "/authorize": {
        const fault = faultOf(url.searchParams);
        const page = `<title>Consent</title><form method="post" action="/allow"><p>Allow ${escaped(url.searchParams.get("scope") ?? "")}?</p>
          <input type="hidden" name="asked" value="${escaped(url.search)}"><button>Allow</button></form>`;
        return void response.writeHead(fault ? 400 : 200, { "content-type": "text/html" }).end(fault ?? page);
      }
      case "/allow":
        return void response.writeHead(303, { location: allow(new URLSearchParams(form.get("asked") ?? "")).href }).end();
      case "/token": {
        const client = clientOf(request, form);
        const answer = client ? tokenAnswer(form, client) : { error: "invalid_client" };
        return json("error" in answer ? 400 : 200, answer, { "cache-control": "no-store" });
      }
      case "/revoke": {
        const grant = access.get(form.get("token") ?? "") ?? refresh.get(form.get("token") ?? "");
        if (grant && clientOf(request, form) === grant.clientId) {
          state.revoked += 1;
          endFamily(grant.family);
        }
        return json(200, {});
      }
      default:
        return json(404, {});
    }
  };

  const serveMcp = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1];
    if (bearer) received.add(bearer);
    const token = access.get(bearer ?? "");
    const named = options.namesMetadata === false ? "" : ` resource_metadata="${home.origin}/.well-known/oauth-protected-resource/mcp",`;
    const refuse = (status: number, rest: string) => {
      state.refusals += 1;
      response.writeHead(status, { "www-authenticate": `Bearer${named} ${rest}` }).end();
    };
    if (!token || token.resource !== resource || token.expiresAt < Date.now()) return refuse(401, 'scope="notes:read"');
    if (body.includes('"write_note"') && !token.scope.split(" ").includes("notes:write"))
      return refuse(403, 'error="insufficient_scope", scope="notes:write"');
    answerMcp(request, response, body);
  };

  return {
    url: resource,
    issuer,
    log,
    state,
    received,
    clients,
    allow: (address: string) => allow(new URL(address).searchParams),
    faultOf: (address: string) => faultOf(new URL(address).searchParams),
    /** Ends every access token, as if its time were over. */
    expire: () => access.clear(),
    tokensInUse: () => access.size,
    close: async () => {
      for (const { server } of new Set([home, apart])) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<Listener> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
