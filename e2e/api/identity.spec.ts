import { randomUUID } from "node:crypto";
import { agentEndpoints } from "@/contracts/agents/agents";
import { auditEndpoints } from "@/contracts/audit/audit";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { identityEndpoints } from "@/contracts/identity/identity";
import type { Permission, Role } from "@/contracts/permissions";
import { turnEndpoints } from "@/contracts/turns/turns";
import { type Caller, caller } from "../caller";
import { type Callers, expect, readProblem, test } from "../fixtures";

type Person = { id: string; email: string; password: string };

async function addMember(who: Caller, role: Role): Promise<Person> {
  const person = { email: `${role}-${randomUUID()}@example.com`, password: randomUUID() };
  const { id } = await who.call(identityEndpoints.createUser, { body: { ...person, name: "Somebody", role } });
  return { id, ...person };
}

async function signIn({ nobody }: Callers, { email, password }: Omit<Person, "id">, productUrl: string): Promise<Caller> {
  return caller(productUrl, (await nobody.call(identityEndpoints.token, { body: { email, password } })).token);
}

test.describe("sign-out and revocation", () => {
  test("a copy of the cookie is refused after sign-out, and a stream that was opened with it ends", async ({
    api,
    playwright,
    productUrl,
  }) => {
    const { email, password } = await addMember(api.admin, "viewer");
    const browser = await playwright.request.newContext({ baseURL: productUrl, extraHTTPHeaders: { origin: productUrl } });
    const { csrfToken } = await (await browser.get("/api/auth/csrf")).json();
    await browser.post("/api/auth/callback/credentials", { form: { csrfToken, email, password, callbackUrl: productUrl, json: "true" } });
    const copied = (await browser.storageState()).cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const ask = () => api.nobody.fetch("/api/v1/me", { headers: { cookie: copied } });
    expect((await ask()).status).toBe(200);
    const stream = await api.nobody.fetch("/api/v1/approvals/events", { headers: { cookie: copied } });
    expect(stream.status).toBe(200);

    await browser.post("/api/auth/signout", { form: { csrfToken, callbackUrl: productUrl, json: "true" } });
    // Ends when the server closes it; it would go on for as long as somebody listens.
    expect(await stream.text()).toContain("retry: 1000");
    expect((await ask()).status).toBe(401);
    await browser.dispose();
  });

  test("a long poll of a key ends when the key is revoked, without the answer", async ({ api, productUrl }) => {
    const { id: keyId, key } = await api.admin.call(identityEndpoints.createApiKey, {
      body: { name: "Runtime", scopes: ["turns:write", "tools:read"] },
    });
    const runtime = caller(productUrl, key);
    const { id } = await runtime.call(conversationEndpoints.create, { body: {} });
    const calls = [{ id: "c1", name: "shell_execute", arguments: { command: "git push origin main" } }];
    const turn = await runtime.call(turnEndpoints.submit, { params: { id }, body: { calls } });
    expect(turn.status).toBe("suspended");
    const polled = runtime.refusal(turnEndpoints.get, { params: { id: turn.id }, query: { wait: 60 } });
    // The poll is open once the server has seen it: a second one on the same connection pool is answered after it.
    await runtime.call(turnEndpoints.get, { params: { id: turn.id } });
    await api.admin.call(identityEndpoints.revokeApiKey, { params: { id: keyId } });
    expect(await polled).toMatchObject({ status: 401, code: "unauthenticated" });
  });

  test("everybody changes their own password with the one they have, and no easy one", async ({ api, productUrl }) => {
    const person = await addMember(api.admin, "viewer");
    const viewer = await signIn(api, person, productUrl);
    const change = (newPassword: string, currentPassword = person.password) => ({ body: { currentPassword, newPassword } });
    expect(await viewer.refusal(identityEndpoints.changePassword, change("password1234"))).toMatchObject({
      status: 422,
      errors: [{ path: "newPassword" }],
    });
    expect(await viewer.refusal(identityEndpoints.changePassword, change(randomUUID(), "not the one"))).toMatchObject({ status: 422 });
    const password = randomUUID();
    await viewer.call(identityEndpoints.changePassword, change(password));
    expect(await viewer.refusal(identityEndpoints.changePassword, change(password))).toMatchObject({ status: 401 });
    await signIn(api, { email: person.email, password }, productUrl);
    expect(await api.nobody.refusal(identityEndpoints.changePassword, change(password))).toMatchObject({ status: 401 });
    expect(await api.agent.refusal(identityEndpoints.changePassword, change(password))).toMatchObject({ status: 403 });
  });

  test("probes answer whatever credentials come along", async ({ api }) => {
    for (const path of ["/api/v1/health/live", "/api/v1/health/ready"]) {
      expect((await api.nobody.fetch(path, { headers: { authorization: "Bearer nonsense" } })).status).toBe(200);
    }
  });
});

test.describe("tokens", () => {
  test("a token holds for 24 hours, whatever the case of the e-mail address", async ({ api }) => {
    const person = await addMember(api.admin, "viewer");
    const { expiresAt } = await api.nobody.call(identityEndpoints.token, {
      body: { email: person.email.toUpperCase(), password: person.password },
    });
    const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });

  test("a wrong password and an unknown address are refused in the same words", async ({ api }) => {
    const { email } = await addMember(api.admin, "viewer");
    const wrong = await api.nobody.refusal(identityEndpoints.token, { body: { email, password: "not the password" } });
    const unknown = await api.nobody.refusal(identityEndpoints.token, { body: { email: `x-${email}`, password: "not the password" } });
    expect(wrong).toMatchObject({ status: 401, code: "wrong_credentials" });
    expect({ ...unknown, requestId: "" }).toEqual({ ...wrong, requestId: "" });
  });

  test("after five failures within a minute, tokens and the console's sign-in both have to wait", async ({
    api,
    playwright,
    productUrl,
  }) => {
    const { email, password } = await addMember(api.admin, "viewer");
    for (let index = 0; index < 5; index++) {
      const response = await api.nobody.send(identityEndpoints.token, { body: { email, password: "not the password" } });
      expect(response.status).toBe(401);
    }
    const late = await api.nobody.send(identityEndpoints.token, { body: { email, password } });
    expect(late.status).toBe(429);
    expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await readProblem(late)).toMatchObject({ code: "too_many_requests" });

    const browser = await playwright.request.newContext({ baseURL: productUrl });
    const { csrfToken } = await (await browser.get("/api/auth/csrf")).json();
    const answer = await browser.post("/api/auth/callback/credentials", { form: { csrfToken, email, password, json: "true" } });
    expect(answer.status()).toBe(401);
    expect((await answer.json()).url).toContain("too_many_requests");
    await browser.dispose();
  });

  test("every sign-in and every failure stands in the audit, without the password", async ({ api }) => {
    const { email, password } = await addMember(api.admin, "viewer");
    const guess = `guess-${randomUUID()}`;
    await api.nobody.refusal(identityEndpoints.token, { body: { email, password: guess } });
    await api.nobody.call(identityEndpoints.token, { body: { email, password } });
    const { items } = await api.admin.call(auditEndpoints.list, { query: { query: email } });
    expect(items.map(({ event }) => event)).toEqual(["user.signed_in", "user.sign_in_failed", "user.created"]);
    expect(JSON.stringify(items)).not.toContain(password);
    expect(JSON.stringify(items)).not.toContain(guess);
  });

  test("a token follows the role of this moment, and ends with a new password or with the membership", async ({ api, productUrl }) => {
    const person = await addMember(api.admin, "viewer");
    const params = { id: person.id };
    const member = await signIn(api, person, productUrl);
    expect(await member.call(identityEndpoints.me)).toMatchObject({ role: "viewer", actor: { type: "user", id: person.id } });

    await api.admin.call(identityEndpoints.updateUser, { params, body: { role: "approver" } });
    expect((await member.call(identityEndpoints.me)).scopes).toContain("approvals:decide");

    const password = randomUUID();
    await api.admin.call(identityEndpoints.updateUser, { params, body: { password } });
    expect(await member.refusal(identityEndpoints.me)).toMatchObject({ status: 401, code: "unauthenticated" });

    const again = await signIn(api, { email: person.email, password }, productUrl);
    await api.admin.call(identityEndpoints.removeUser, { params });
    expect(await again.refusal(identityEndpoints.me)).toMatchObject({ status: 401 });
    const refused = await api.nobody.refusal(identityEndpoints.token, { body: { email: person.email, password } });
    expect(refused).toMatchObject({ code: "wrong_credentials" });
  });
});

test.describe("API keys", () => {
  test("a key is shown once, does what its scopes say, and stops at once when it is revoked", async ({ api, productUrl }) => {
    const created = await api.admin.call(identityEndpoints.createApiKey, { body: { name: "Once", scopes: ["tools:read", "turns:write"] } });
    const holder = caller(productUrl, created.key);
    expect(await holder.call(identityEndpoints.me)).toMatchObject({
      actor: { type: "api_key", id: created.id, name: "Once" },
      role: null,
      scopes: ["turns:read", "turns:write", "tools:read"],
    });
    const list = await api.admin.send(identityEndpoints.listApiKeys, { query: { limit: 200 } });
    const text = await list.text();
    expect(text).toContain(created.prefix);
    expect(text).not.toContain(created.key);

    await api.admin.call(identityEndpoints.revokeApiKey, { params: { id: created.id } });
    const refused = await holder.refusal(identityEndpoints.me);
    expect(refused).toMatchObject({ status: 401, code: "unauthenticated", detail: expect.stringContaining("revoked") });
  });

  const impossible: { scopes: Permission[]; bound: boolean }[] = [
    { scopes: ["turns:write", "approvals:decide"], bound: false },
    { scopes: ["turns:write", "admin"], bound: false },
    { scopes: ["tools:read", "approvals:decide"], bound: true },
  ];
  for (const { scopes, bound } of impossible) {
    test(`no key of an agent decides approvals: ${scopes.join(" ")}${bound ? ", bound" : ""}`, async ({ api }) => {
      const agentId = bound ? (await api.admin.call(agentEndpoints.list)).items[0]?.id : undefined;
      const refused = await api.admin.refusal(identityEndpoints.createApiKey, {
        body: { name: "Both", scopes, ...(bound ? { agentId } : {}) },
      });
      expect(refused).toMatchObject({ status: 422, code: "invalid", errors: [{ path: "scopes" }] });
      expect(refused.detail).toContain("approvals:decide");
    });
  }

  test("an unknown scope, an agent that is not there and an expiry in the past are refused where they stand", async ({ api }) => {
    const wrong: [field: string, body: Record<string, unknown>][] = [
      ["scopes.0", { name: "Key", scopes: ["everything"] }],
      ["scopes", { name: "Key", scopes: [] }],
      ["name", { name: " ", scopes: ["tools:read"] }],
      ["agentId", { name: "Key", scopes: ["tools:read"], agentId: randomUUID() }],
      ["expiresAt", { name: "Key", scopes: ["tools:read"], expiresAt: "2020-01-01T00:00:00Z" }],
    ];
    for (const [field, body] of wrong) {
      const response = await api.admin.fetch("/api/v1/api-keys", { method: "POST", body: JSON.stringify(body) });
      expect(await readProblem(response), field).toMatchObject({ status: 422, errors: [{ path: field }] });
    }
  });
});

test.describe("members", () => {
  test("only owners manage owners, nobody removes themselves, and the last owner stays", async ({ api }) => {
    const key = await api.withKey("admin");
    const owner = (await api.admin.call(identityEndpoints.me)).actor;
    const params = { id: owner.id };
    const draft = { email: `${randomUUID()}@example.com`, name: "New owner", role: "owner" as const, password: randomUUID() };
    expect(await key.refusal(identityEndpoints.createUser, { body: draft })).toMatchObject({ status: 403, code: "forbidden" });
    expect(await key.refusal(identityEndpoints.removeUser, { params })).toMatchObject({ status: 403 });
    expect(await key.refusal(identityEndpoints.updateUser, { params, body: { password: randomUUID() } })).toMatchObject({ status: 403 });
    const { items } = await api.admin.call(identityEndpoints.listUsers, { query: { limit: 200 } });
    expect(items.filter(({ role }) => role === "owner").map(({ id }) => id)).toEqual([owner.id]);
    expect(await api.admin.refusal(identityEndpoints.removeUser, { params })).toMatchObject({ status: 409, code: "conflict" });
    expect(await api.admin.refusal(identityEndpoints.updateUser, { params, body: { role: "admin" } })).toMatchObject({ status: 409 });
  });

  test("an address can be had once, and a short password is refused where it stands", async ({ api }) => {
    const { email } = await addMember(api.admin, "viewer");
    const draft = { email, name: "Twice", role: "viewer" as const, password: randomUUID() };
    expect(await api.admin.refusal(identityEndpoints.createUser, { body: draft })).toMatchObject({ status: 409, code: "conflict" });
    const short = { ...draft, email: `x-${email}`, password: "short" };
    expect(await api.admin.refusal(identityEndpoints.createUser, { body: short })).toMatchObject({ errors: [{ path: "password" }] });
  });
});

test.describe("the session of a browser", () => {
  const body = JSON.stringify({ name: "From a page", scopes: ["tools:read"] });

  test("changes things only from our own pages", async ({ adminSession, api, productUrl }) => {
    const cookie = adminSession.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const send = (headers: Record<string, string>) =>
      api.nobody.fetch("/api/v1/api-keys", { method: "POST", body, headers: { cookie, "content-type": "application/json", ...headers } });

    const foreign: Record<string, string>[] = [
      {},
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of foreign) {
      const response = await send(headers);
      expect(response.status, JSON.stringify(headers)).toBe(403);
      expect(await readProblem(response)).toMatchObject({ code: "foreign_origin" });
    }
    expect((await send({ origin: productUrl })).status).toBe(201);
    expect((await api.nobody.fetch("/api/v1/me", { headers: { cookie } })).status).toBe(200);
  });

  test("does not stand in for a key or token that does not hold", async ({ adminSession, productUrl }) => {
    const cookie = adminSession.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const response = await fetch(`${productUrl}/api/v1/me`, { headers: { cookie, authorization: "Bearer nonsense" } });
    expect(response.status).toBe(401);
  });
});
