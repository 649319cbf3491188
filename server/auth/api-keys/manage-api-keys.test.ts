import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Permission } from "@/contracts/permissions";
import { apiKeys, auditEvents } from "@/db/schema";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { authorize, buildApiKey, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { actorFromRequest } from "../actor-from-request";
import { createApiKey } from "./create-api-key";
import { listApiKeys } from "./list-api-keys";
import { revokeApiKey } from "./revoke-api-key";

useTestDatabase();

const use = (key: string) => actorFromRequest(new Request("http://handrail.test", { headers: { authorization: `Bearer ${key}` } }), "r");

test("a new key is shown once, stored as a hash, works at once and is audited", async () => {
  const { admin, agent, workspace } = await buildWorkspace();
  const made = await createApiKey(authorize(admin, "admin"), {
    name: "Runtime",
    scopes: ["turns:write", "tools:read", "tools:read"],
    agentId: agent.id,
  });
  expect(made).toMatchObject({ key: expect.stringMatching(/^hr_[\w-]{43}$/), scopes: ["turns:write", "tools:read"], agentId: agent.id });
  expect(made.key.startsWith(made.prefix)).toBe(true);

  const [row] = await db().select().from(apiKeys).where(eq(apiKeys.id, made.id));
  expect(row?.hash).toBe(sha256(made.key));
  expect(await use(made.key)).toMatchObject({ id: made.id, agentId: agent.id });

  const { items } = await listApiKeys(authorize(admin, "admin"), { limit: 50 });
  expect(items[0]).not.toHaveProperty("key");
  const audit = await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, workspace.id));
  expect(audit).toMatchObject([{ event: "api_key.created", subject: made.id, data: { name: "Runtime" } }]);
  expect(JSON.stringify(audit)).not.toContain(made.key);
});

test("a key acts for the person who created it, also through a key that creates keys", async () => {
  const { admin, workspace } = await buildWorkspace();
  const first = await createApiKey(authorize(admin, "admin"), { name: "First", scopes: ["admin"] });
  const creator = await use(first.key);
  if (!creator) throw new Error("the key is not known");
  const second = await createApiKey(authorize(creator, "admin"), { name: "Second", scopes: ["approvals:decide"] });
  expect([creator.personId, (await use(second.key))?.personId]).toEqual([admin.id, admin.id]);

  const system = await buildApiKey(workspace.id, { scopes: ["admin"] });
  const third = await createApiKey(authorize(system, "admin"), { name: "Third", scopes: ["tools:read"] });
  expect((await use(third.key))?.personId).toBe(system.id);
});

test.each<{ scopes: Permission[]; bound: boolean }>([
  { scopes: ["turns:write", "approvals:decide"], bound: false },
  { scopes: ["approvals:decide"], bound: true },
  { scopes: ["admin"], bound: true },
  { scopes: ["admin", "turns:write"], bound: false },
])("a key that submits turns cannot decide approvals: $scopes, bound to an agent: $bound", async ({ scopes, bound }) => {
  const { admin, agent } = await buildWorkspace();
  const made = createApiKey(authorize(admin, "admin"), { name: "Both", scopes, ...(bound ? { agentId: agent.id } : {}) });
  await expect(made).rejects.toMatchObject({ code: "invalid", details: { errors: [{ path: "scopes" }] } });
});

test("nobody gives away scopes that they do not hold", async () => {
  const { workspace, admin } = await buildWorkspace();
  const key = await buildApiKey(workspace.id, { scopes: ["admin"] });
  const limited = { ...key, permissions: new Set<Permission>(["admin", "tools:read"]) };
  await expect(createApiKey(authorize(limited, "admin"), { name: "More", scopes: ["tools:write"] })).rejects.toMatchObject({
    code: "forbidden",
    message: "You cannot grant permissions that you do not have: tools:write.",
  });
  expect((await createApiKey(authorize(admin, "admin"), { name: "Fine", scopes: ["tools:write"] })).scopes).toEqual(["tools:write"]);
});

test("an agent of another workspace, or an expiry in the past, is refused", async () => {
  const { admin } = await buildWorkspace();
  const other = await buildWorkspace();
  const draft = { name: "Key", scopes: ["tools:read" as const] };
  await expect(createApiKey(authorize(admin, "admin"), { ...draft, agentId: other.agent.id })).rejects.toMatchObject({ code: "invalid" });
  await expect(createApiKey(authorize(admin, "admin"), { ...draft, expiresAt: "2020-01-01T00:00:00Z" })).rejects.toMatchObject({
    details: { errors: [{ path: "expiresAt" }] },
  });
});

test("a revoked key stops at once, stays in the list, and is audited once however often it is revoked", async () => {
  const { admin, workspace } = await buildWorkspace();
  const { id, key } = await createApiKey(authorize(admin, "admin"), { name: "Old", scopes: ["tools:read"] });
  await use(key);
  const revoked = await revokeApiKey(authorize(admin, "admin"), id);
  await expect(use(key)).rejects.toMatchObject({ code: "unauthenticated", message: expect.stringContaining("revoked") });
  expect(await revokeApiKey(authorize(admin, "admin"), id)).toEqual({ ...revoked, lastUsedAt: expect.any(String) });
  const audit = await db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.workspaceId, workspace.id), eq(auditEvents.event, "api_key.revoked")));
  expect(audit).toHaveLength(1);
});

test("another workspace's key is not there", async () => {
  const mine = await buildWorkspace();
  const other = await buildWorkspace();
  const { id } = await createApiKey(authorize(other.admin, "admin"), { name: "Theirs", scopes: ["tools:read"] });
  await expect(revokeApiKey(authorize(mine.admin, "admin"), id)).rejects.toMatchObject({ code: "not_found" });
  const { items } = await listApiKeys(authorize(mine.admin, "admin"), { limit: 50 });
  expect(items.map((item) => item.id)).not.toContain(id);
});

test("the list comes in pages, newest first", async () => {
  const { admin } = await buildWorkspace();
  for (const name of ["one", "two", "three"]) await createApiKey(authorize(admin, "admin"), { name, scopes: ["tools:read"] });
  const first = await listApiKeys(authorize(admin, "admin"), { limit: 2 });
  expect(first.items.map(({ name }) => name)).toEqual(["three", "two"]);
  expect(first.total).toBe(4);
  const second = await listApiKeys(authorize(admin, "admin"), { limit: 2, cursor: first.nextCursor ?? "" });
  expect(second.items.map(({ name }) => name)).toEqual(["one", "Agent key"]);
  expect(second.nextCursor).toBeNull();
});
