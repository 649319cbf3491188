import { createHash, randomBytes } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Permission } from "@/contracts/permissions";
import { apiKeys, auditEvents, mcpClientSignIns, memberships } from "@/db/schema";
import { type Actor, requirePermission } from "@/server/auth/actor";
import { forgetActors } from "@/server/auth/actor-cache";
import { createApiKey } from "@/server/auth/api-keys/create-api-key";
import { revokeApiKey } from "@/server/auth/api-keys/revoke-api-key";
import { readUserToken } from "@/server/auth/sign-in/user-token";
import { removeIdleSessions } from "@/server/families/mcp-clients/remove-idle-sessions";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { requestMcp } from "@/server/testing/mcp/mcp-clients";
import { useStage } from "@/server/testing/stage";
import { allowClient } from "./allow-client";
import { readAuthorizationRequest } from "./authorization-request";
import { handleRegister, handleRevoke, handleToken } from "./handle-oauth";
import { resourceMetadata } from "./metadata";

const stage = useStage();
const redirectUri = "http://127.0.0.1:33418/callback";
const verifier = randomBytes(32).toString("base64url");
const codeChallenge = createHash("sha256").update(verifier).digest("base64url");

type Json = { [name: string]: string | number | undefined };
const post = (address: string, body: string, type: string) =>
  new Request(`http://localhost:3000${address}`, {
    method: "POST",
    body,
    headers: { "content-type": type, "content-length": String(body.length) },
  });
async function register(metadata: object): Promise<{ status: number; body: Json }> {
  const response = await handleRegister(post("/oauth/register", JSON.stringify(metadata), "application/json"));
  return { status: response.status, body: await response.json() };
}
async function token(members: Record<string, string>): Promise<{ status: number; body: Json }> {
  const form = new URLSearchParams(members).toString();
  const response = await handleToken(post("/oauth/token", form, "application/x-www-form-urlencoded"));
  return { status: response.status, body: await response.json() };
}
const list = (access: unknown) =>
  requestMcp("http://localhost:3000/mcp", {
    method: "POST",
    headers: { authorization: `Bearer ${access}`, "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });

let clientId: string;
let person: Actor;
beforeEach(async () => {
  clientId = String((await register({ redirect_uris: [redirectUri], client_name: "Claude Code" })).body.client_id);
  person = stage.built.admin;
});

async function allow(): Promise<string> {
  const draft = { clientId, redirectUri, state: "s", codeChallenge, agentId: stage.built.agent.id };
  const { redirectTo } = await allowClient(requirePermission(person, "turns:write"), draft);
  const url = new URL(redirectTo);
  expect(url.origin + url.pathname).toBe(redirectUri);
  expect([url.searchParams.get("state"), url.searchParams.get("iss")]).toEqual(["s", env().publicUrl]);
  return url.searchParams.get("code") ?? "";
}
const byCode = (code: string, more: Record<string, string> = {}) =>
  token({ grant_type: "authorization_code", code, code_verifier: verifier, client_id: clientId, redirect_uri: redirectUri, ...more });
const byRefresh = (refresh: unknown, more: Record<string, string> = {}) =>
  token({ grant_type: "refresh_token", refresh_token: String(refresh), client_id: clientId, ...more });
const clientKeys = () =>
  db()
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.workspaceId, stage.built.workspace.id), eq(apiKeys.name, "Claude Code")));

describe("a client", () => {
  test.each([
    ["a page of the web", ["https://claude.ai/api/mcp/auth_callback"], 201],
    ["a program with a scheme of its own", ["cursor://anysphere.cursor-mcp/oauth/callback"], 201],
    ["plain http of another machine", ["http://example.com/callback"], 400],
    ["a script", ["javascript:alert(1)"], 400],
    ["a script with a dot", ["javascript.x:alert(1)"], 400],
    ["two lines", ["https://example.com/a\r\nb"], 400],
    ["a backslash", ["https:\\\\example.com/"], 400],
    ["text in the address", ["data:text/html,hello"], 400],
    ["a fragment", ["https://example.com/#here"], 400],
    ["a password", ["https://user:pass@example.com/"], 400],
    ["a program of the system", ["ms-msdt:x"], 400],
    ["a page of the browser", ["chrome://settings"], 400],
    ["a scheme with a dot", ["com.example.app:/callback"], 201],
    ["six addresses", Array.from({ length: 6 }, (_, place) => `http://127.0.0.1:${33_418 + place}/`), 201],
    ["no address", [], 400],
  ])("registers with the address of %s: %j", async (_kind, uris, status) => {
    expect((await register({ redirect_uris: uris })).status).toBe(status);
  });

  test("whose id was changed is not known, and the browser stays here", () => {
    const forged = `hrc_${Buffer.from(JSON.stringify({ name: "x", redirectUris: ["https://evil.example.com/"] })).toString("base64url")}.AAAA`;
    for (const client_id of [forged, `${clientId}x`, "https://evil.example.com/client.json", ""]) {
      const query = new URLSearchParams({ client_id, redirect_uri: "https://evil.example.com/", response_type: "code" });
      expect(readAuthorizationRequest(query).kind).toBe("unusable");
    }
  });

  test("may use another port of this computer, and no other address", () => {
    const asked = (uri: string) =>
      readAuthorizationRequest(
        new URLSearchParams({
          client_id: clientId,
          redirect_uri: uri,
          response_type: "code",
          code_challenge: codeChallenge,
          code_challenge_method: "S256",
        }),
      ).kind;
    expect(asked("http://127.0.0.1:50123/callback")).toBe("usable");
    expect(asked("http://127.0.0.1:50123/other")).toBe("unusable");
    expect(asked("http://localhost:33418/callback")).toBe("unusable");
    expect(asked("https://127.0.0.1:33418/callback")).toBe("unusable");
  });

  test.each([
    ["without PKCE", { code_challenge: "" }, "invalid_request"],
    ["with a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["for another resource", { resource: "https://elsewhere.example.com/mcp" }, "invalid_target"],
    ["for a token", { response_type: "token" }, "unsupported_response_type"],
  ])("that asks %s hears %j → %s", (_how, members, code) => {
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      code_challenge: codeChallenge,
      code_challenge_method: "S256",
      state: "s",
      ...members,
    });
    const read = readAuthorizationRequest(query);
    // A person clicks on the way back: the browser is never sent on by itself.
    const url = new URL(read.kind === "refused" ? read.redirectTo : "about:blank");
    expect([url.searchParams.get("error"), url.searchParams.get("state")]).toEqual([code, "s"]);
  });
});

describe("a sign-in", () => {
  test("gives a token for /mcp only, in the name of the person, and the key stands in the list of keys", async () => {
    const { status, body } = await byCode(await allow(), { resource: `${env().publicUrl}/mcp` });
    expect([status, body.token_type, body.expires_in]).toEqual([200, "Bearer", 3_600]);
    const answer = await list(body.access_token);
    expect((await answer.json()).result.tools.length).toBeGreaterThan(2);
    const [key] = await clientKeys();
    expect(key).toMatchObject({ agentId: stage.built.agent.id, scopes: ["turns:write", "tools:read"], createdBy: { id: person.id } });
    const [event] = await db().select().from(auditEvents).where(eq(auditEvents.event, "mcp_client.allowed"));
    expect(event?.data).toMatchObject({ client: "Claude Code", redirectHost: "127.0.0.1:33418" });
  });

  test("is refused with another verifier, client or address, and the code stays good for its own", async () => {
    const code = await allow();
    const other = String((await register({ redirect_uris: [redirectUri], client_name: "Other" })).body.client_id);
    const wrongs: Record<string, string>[] = [
      { code_verifier: "x" },
      { client_id: other },
      { redirect_uri: "http://127.0.0.1:1/callback" },
      { code: `${code}x` },
    ];
    for (const wrong of wrongs) {
      expect((await byCode(code, wrong)).body.error).toBe("invalid_grant");
    }
    expect((await byCode(code)).status).toBe(200);
  });

  test("ends when its code comes twice, and the first token with it", async () => {
    const code = await allow();
    const { body } = await byCode(code);
    expect((await byCode(code)).body.error).toBe("invalid_grant");
    expect((await list(body.access_token)).status).toBe(401);
    expect((await byRefresh(body.refresh_token)).body.error).toBe("invalid_grant");
  });

  test("ends when its code comes twice at the same moment", async () => {
    const code = await allow();
    const answers = await Promise.all([byCode(code), byCode(code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const issued = answers.find(({ status }) => status === 200);
    expect((await list(issued?.body.access_token)).status).toBe(401);
  });

  test("ends when nobody renewed it for 90 days", async () => {
    const { body } = await byCode(await allow());
    await db().update(mcpClientSignIns).set({ rotatedAt: sql`now() - interval '91 days'` });
    expect((await byRefresh(body.refresh_token)).body.error_description).toContain("90 days");
    await removeIdleSessions();
    expect(await clientKeys()).toEqual([]);
  });

  test("has a code that is good for a minute, and its key is removed when nobody came with it", async () => {
    const code = await allow();
    await db().update(mcpClientSignIns).set({ createdAt: sql`now() - interval '2 hours'` });
    expect((await byCode(code)).body.error_description).toContain("expired");
    await removeIdleSessions();
    expect(await clientKeys()).toEqual([]);
  });

  test("renews: programs that renew at once get the same token, and an old token a minute later ends it", async () => {
    const first = (await byCode(await allow())).body;
    const [left, right] = await Promise.all([byRefresh(first.refresh_token), byRefresh(first.refresh_token)]);
    expect(left.body.refresh_token).toBe(right.body.refresh_token);
    expect((await list(left.body.access_token)).status).toBe(200);
    await db().update(mcpClientSignIns).set({ rotatedAt: sql`now() - interval '2 minutes'` });
    expect((await byRefresh(first.refresh_token)).body.error).toBe("invalid_grant");
    expect((await clientKeys())[0]?.revokedAt).not.toBeNull();
    expect((await list(left.body.access_token)).status).toBe(401);
  });

  test("ends with its key, with its person's role, and by the client's own wish", async () => {
    const ended = async (end: (body: Json) => Promise<unknown>) => {
      const { body } = await byCode(await allow());
      expect((await list(body.access_token)).status).toBe(200);
      await end(body);
      forgetActors();
      return [(await list(body.access_token)).status, (await byRefresh(body.refresh_token)).body.error];
    };
    const byKey = await ended(async () => {
      const [key] = await clientKeys();
      await revokeApiKey(requirePermission(stage.built.admin, "admin"), key?.id ?? "");
    });
    const byWish = await ended(({ refresh_token }) =>
      handleRevoke(post("/oauth/revoke", `token=${refresh_token}`, "application/x-www-form-urlencoded")),
    );
    const byRole = await ended(() => db().update(memberships).set({ role: "viewer" }).where(eq(memberships.userId, person.id)));
    expect([byKey, byWish, byRole]).toEqual(Array(3).fill([401, "invalid_grant"]));
  });

  test("cannot be allowed by an API key", async () => {
    const draft = { clientId, redirectUri, state: null, codeChallenge, agentId: stage.built.agent.id };
    await expect(allowClient(requirePermission(stage.built.agentKey, "turns:write"), draft)).rejects.toThrow("Only a signed-in person");
  });
});

test("the name that a client gives itself is one short line, without marks that turn text around", async () => {
  const { body } = await register({ redirect_uris: [redirectUri], client_name: `Claude\u202e\n ${"verified ".repeat(20)}` });
  expect(String(body.client_name)).toMatch(/^Claude verified[^\n\u202e]{0,30}$/);
  expect((await register({ redirect_uris: [redirectUri], client_name: null })).body.client_name).toBe("MCP client");
});

test("at this computer and at an IP address the metadata names that address, and else the public one", async () => {
  const at = (host: string) => resourceMetadata(new Request("http://x/", { headers: { host } })).resource;
  expect(at("127.0.0.1:4555")).toBe("http://127.0.0.1:4555/mcp");
  expect(at("[::1]:4555")).toBe("http://[::1]:4555/mcp");
  expect(at("evil.example.com")).toBe(`${env().publicUrl}/mcp`);
});

test("a bad token hears what to do, in the form of OAuth", async () => {
  const answer = await list("not.a.token");
  expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
  expect((await answer.json()).detail).toContain("sign in again in the client");
  const broken = await handleRegister(post("/oauth/register", "{", "application/json"));
  expect([broken.status, (await broken.json()).error]).toEqual([400, "invalid_request"]);
});

test("a request without credentials names the metadata at which the sign-in begins", async () => {
  const answer = await requestMcp("http://localhost:3000/mcp", { method: "POST", body: "{}" });
  expect(answer.headers.get("www-authenticate")).toBe(
    `Bearer resource_metadata="${env().publicUrl}/.well-known/oauth-protected-resource/mcp"`,
  );
});

describe("a client with an id and a secret", () => {
  const secretOf = async (scopes: Permission[] = ["turns:write", "tools:read"]) => {
    const draft = { name: "Nightly", scopes, agentId: stage.built.agent.id };
    return createApiKey(requirePermission(person, "admin"), draft);
  };
  const byBasic = async (id: string, secret: string) => {
    const request = post("/oauth/token", "grant_type=client_credentials", "application/x-www-form-urlencoded");
    request.headers.set("authorization", `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`);
    const response = await handleToken(request);
    return { status: response.status, challenge: response.headers.get("www-authenticate"), body: (await response.json()) as Json };
  };

  test.each(["the form", "the header"])("gets a token with the rights of its API key from %s, until the key is revoked", async (where) => {
    const { id, key } = await secretOf();
    const credentials = { grant_type: "client_credentials", client_id: id, client_secret: key };
    const issued = where === "the form" ? await token(credentials) : await byBasic(id, key);
    expect(issued).toMatchObject({ status: 200, body: { token_type: "Bearer", expires_in: 3_600 } });
    expect(issued.body.refresh_token).toBeUndefined();
    expect((await list(issued.body.access_token)).status).toBe(200);
    await revokeApiKey(requirePermission(person, "admin"), id);
    expect((await list(issued.body.access_token)).status).toBe(401);
  });

  test("is refused for a wrong secret, another key's id, a key that may call nothing, and a scope", async () => {
    const [first, other] = [await secretOf(), await secretOf()];
    expect(await byBasic(first.id, `hr_${"x".repeat(43)}`)).toMatchObject({
      status: 401,
      challenge: 'Basic realm="Handrail"',
      body: { error: "invalid_client" },
    });
    expect((await byBasic(first.id, other.key)).body.error).toBe("invalid_client");
    const reader = await secretOf(["tools:read"]);
    expect((await byBasic(reader.id, reader.key)).body.error).toBe("unauthorized_client");
    const wide = { grant_type: "client_credentials", client_id: first.id, client_secret: first.key, scope: "admin" };
    expect((await token(wide)).body.error).toBe("invalid_scope");
  });

  test("has a token for /mcp only, which no page of OAuth can end or renew", async () => {
    const { id, key } = await secretOf();
    const { body } = await byBasic(id, key);
    const form = new URLSearchParams({ token: String(body.access_token) }).toString();
    expect((await handleRevoke(post("/oauth/revoke", form, "application/x-www-form-urlencoded"))).status).toBe(200);
    expect((await list(body.access_token)).status).toBe(200);
    expect((await byRefresh(body.access_token)).body.error).toBe("invalid_grant");
    expect(await readUserToken(String(body.access_token))).toBeNull();
  });
});
