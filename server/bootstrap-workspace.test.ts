import { expect, test } from "vitest";
import { agents, apiKeys, auditEvents, guardVersions, memberships, users, workspaces } from "@/db/schema";
import { hashOfApiKey } from "@/server/auth/api-key-secret";
import { verifyPassword } from "@/server/auth/password";
import { db } from "@/server/platform/database";
import { useTestDatabase } from "@/server/testing/test-database";
import { bootstrapWorkspace } from "./bootstrap-workspace";

useTestDatabase();

test("of many replicas that start at once, one makes the first workspace and only that one has credentials to show", async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => bootstrapWorkspace({ email: "owner@example.com", password: null })));
  const [shown, ...others] = answers.filter((answer) => answer !== null);
  expect(others).toEqual([]);
  expect(await bootstrapWorkspace({ email: "second@example.com", password: null })).toBeNull();

  const [owner] = await db().select().from(users);
  const [membership] = await db().select().from(memberships);
  const [key] = await db().select().from(apiKeys);
  const [agent] = await db().select().from(agents);
  expect(await db().$count(workspaces)).toBe(1);
  expect(await db().$count(guardVersions)).toBe(1);
  expect(shown).toMatchObject({ email: "owner@example.com", isPasswordGenerated: true });
  expect(await verifyPassword(owner?.passwordHash ?? null, shown?.password ?? "")).toBe(true);
  expect(membership).toMatchObject({ userId: owner?.id, role: "owner" });
  expect(agent).toMatchObject({ name: "default", isDefault: true });
  expect(key).toMatchObject({ hash: hashOfApiKey(shown?.agentKey ?? ""), agentId: agent?.id, scopes: ["turns:write", "tools:read"] });

  const events = await db().select().from(auditEvents).orderBy(auditEvents.id);
  expect(events.map(({ event }) => event)).toEqual(["workspace.created", "agent.created", "user.created", "api_key.created"]);
  expect(JSON.stringify(events)).not.toContain(shown?.agentKey);
});
