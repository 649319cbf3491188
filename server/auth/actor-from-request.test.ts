import { eq } from "drizzle-orm";
import { SignJWT } from "jose";
import { encode } from "next-auth/jwt";
import { describe, expect, test } from "vitest";
import type { Permission, Role } from "@/contracts/permissions";
import { apiKeys, memberships, users } from "@/db/schema";
import { derivedKey } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { buildUser, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { forgetActors } from "./actor-cache";
import { actorFromRequest } from "./actor-from-request";
import { createApiKeySecret } from "./api-keys/api-key-secret";
import { sessionCookieName, sessionSecret } from "./sign-in/session-cookie";
import { beginSession } from "./sign-in/sessions";
import { passwordFingerprint } from "./sign-in/user-claims";
import { createUserToken } from "./sign-in/user-token";

useTestDatabase();

const address = "http://handrail.test/api/v1/me";
const ask = (headers: Record<string, string>, method = "GET") => actorFromRequest(new Request(address, { method, headers }), "request-1");

async function refusalOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!isAppError(error)) throw new Error("It was not refused");
  return `${error.code}: ${error.message}`;
}

async function insertKey(scopes: Permission[], values: Partial<typeof apiKeys.$inferInsert> = {}) {
  const { workspace } = await buildWorkspace();
  const secret = createApiKeySecret();
  const [row] = await db()
    .insert(apiKeys)
    .values({
      workspaceId: workspace.id,
      name: "Runtime",
      prefix: secret.prefix,
      hash: secret.hash,
      scopes,
      createdBy: { type: "system", id: "handrail", name: "Handrail" },
      ...values,
    })
    .returning();
  if (!row) throw new Error("The key was not inserted");
  return { ...secret, row };
}

async function signedIn(role: Role) {
  const { workspace } = await buildWorkspace();
  const user = await buildUser(workspace.id, role);
  const session = await beginSession(db(), { workspaceId: workspace.id, userId: user.id, method: "console" });
  const claims = { sub: user.id, workspace: workspace.id, password: passwordFingerprint(null), session };
  const { token } = await createUserToken(claims);
  const cookie = `theme=dark; ${sessionCookieName()}=${await encode({ token: claims, secret: sessionSecret() })}`;
  return { user, workspace, token, cookie, claims };
}

describe("an API key", () => {
  test("is known by its hash, holds its scopes with what they imply, and notes when it was used", async () => {
    const { key, row } = await insertKey(["turns:write", "tools:read"]);
    const actor = await ask({ authorization: `Bearer ${key}` });
    expect(actor).toMatchObject({ type: "api_key", id: row.id, name: "Runtime", workspaceId: row.workspaceId, requestId: "request-1" });
    expect([...(actor?.permissions ?? [])].sort()).toEqual(["tools:read", "turns:read", "turns:write"]);
    const [used] = await db().select().from(apiKeys).where(eq(apiKeys.id, row.id));
    expect(used?.lastUsedAt?.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test("that submits turns never decides approvals, whatever its row says", async () => {
    const { key } = await insertKey(["turns:write", "approvals:decide", "admin"]);
    const actor = await ask({ authorization: `Bearer ${key}` });
    expect(actor?.permissions.has("admin")).toBe(true);
    expect(actor?.permissions.has("approvals:decide")).toBe(false);
  });

  test("is refused with a sentence when it is unknown, revoked or expired", async () => {
    expect(await refusalOf(ask({ authorization: "Bearer hr_short" }))).toMatch(/^unauthenticated: This API key is not known/);
    expect(await refusalOf(ask({ authorization: `Bearer ${createApiKeySecret().key}` }))).toMatch(/not known/);
    const revoked = await insertKey(["admin"], { revokedAt: new Date() });
    expect(await refusalOf(ask({ authorization: `Bearer ${revoked.key}` }))).toMatch(/"Runtime" was revoked/);
    const expired = await insertKey(["admin"], { expiresAt: new Date(Date.now() - 1) });
    expect(await refusalOf(ask({ authorization: `Bearer ${expired.key}` }))).toMatch(/"Runtime" has expired/);
  });

  test("is looked up once for many requests, and again after a change was signalled", async () => {
    const { key, row } = await insertKey(["tools:read"]);
    const asked = () => ask({ authorization: `Bearer ${key}` });
    await Promise.all([asked(), asked()]);
    await db().update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, row.id));
    expect((await asked())?.id).toBe(row.id);
    forgetActors();
    expect(await refusalOf(asked())).toMatch(/revoked/);
  });
});

describe("a token", () => {
  test("speaks for the member with the role of this moment", async () => {
    const { user, token } = await signedIn("approver");
    expect(await ask({ authorization: `Bearer ${token}` })).toMatchObject({ type: "user", id: user.id, role: "approver" });
    await db().update(memberships).set({ role: "viewer" }).where(eq(memberships.userId, user.id));
    forgetActors();
    const demoted = await ask({ authorization: `bearer  ${token}` });
    expect(demoted?.role).toBe("viewer");
    expect(demoted?.permissions.has("approvals:decide")).toBe(false);
  });

  test("ends when the member is removed or gets another password", async () => {
    const removed = await signedIn("admin");
    await db().delete(memberships).where(eq(memberships.userId, removed.user.id));
    expect(await refusalOf(ask({ authorization: `Bearer ${removed.token}` }))).toMatch(/not valid any more/);
    const changed = await signedIn("admin");
    await db().update(users).set({ passwordHash: "another" }).where(eq(users.id, changed.user.id));
    expect(await refusalOf(ask({ authorization: `Bearer ${changed.token}` }))).toMatch(/not valid any more/);
  });

  test("is refused when it is forged, unsigned, too old or garbled, and never falls through to the cookie", async () => {
    const { claims, cookie } = await signedIn("admin");
    const sign = (key: Uint8Array, expiresAt: Date) =>
      new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).setIssuer("handrail").setExpirationTime(expiresAt).sign(key);
    const tomorrow = new Date(Date.now() + 86_400_000);
    const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ ...claims, iss: "handrail" }))}.`.replaceAll("=", "");
    const bad = [
      await sign(new Uint8Array(32), tomorrow),
      await sign(derivedKey("tokens"), new Date(Date.now() - 1_000)),
      unsigned,
      "garbled",
      "a b",
    ];
    for (const token of bad) expect(await refusalOf(ask({ authorization: `Bearer ${token}`, cookie }))).toMatch(/^unauthenticated/);
    expect(await refusalOf(ask({ authorization: "Token abc", cookie }))).toMatch(/not understood/);
  });
});

describe("a browser session", () => {
  test("is read from the cookie; without one, or with a broken one, nobody asks", async () => {
    const { user, cookie } = await signedIn("viewer");
    expect(await ask({ cookie })).toMatchObject({ type: "user", id: user.id, role: "viewer" });
    expect(await ask({ cookie, authorization: "Basic cHJveHk6cHJveHk=" })).toMatchObject({ id: user.id });
    expect(await ask({ cookie, authorization: " " })).toMatchObject({ id: user.id });
    expect(await ask({})).toBeNull();
    expect(await ask({ cookie: `${sessionCookieName()}=garbled` })).toBeNull();
    const stranger = await encode({ token: { sub: user.id }, secret: "another secret" });
    expect(await ask({ cookie: `${sessionCookieName()}=${stranger}` })).toBeNull();
  });

  test.each<Record<string, string>>([
    { "sec-fetch-site": "same-origin" },
    { origin: "http://localhost:3000" },
    { origin: "http://handrail.test", host: "handrail.test" },
  ])("may change things from our own pages: %j", async (headers) => {
    const { user, cookie } = await signedIn("admin");
    expect(await ask({ cookie, ...headers }, "POST")).toMatchObject({ id: user.id });
  });

  test.each<Record<string, string>>([
    {},
    { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
    { "sec-fetch-site": "same-site" },
    { origin: "null" },
    { origin: "http://localhost:3000.evil.example", host: "handrail.test" },
  ])("may not change things from elsewhere: %j", async (headers) => {
    const { cookie } = await signedIn("admin");
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect(await refusalOf(ask({ cookie, ...headers }, method))).toMatch(/^foreign_origin/);
    }
  });
});
