import { expect, onTestFinished, test, vi } from "vitest";
import { agents, apiKeys, auditEvents, guardRules, guardVersions, memberships, users, workspaces } from "@/db/schema";
import { hashApiKey } from "@/server/auth/api-keys/api-key-secret";
import { verifyPassword } from "@/server/auth/sign-in/password";
import { db } from "@/server/platform/database/database";
import { useTestDatabase } from "@/server/testing/test-database";
import { bootstrapWorkspace } from "./bootstrap-workspace";
import * as sandbox from "./capabilities/sandbox/sandbox-status";

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
  expect(key).toMatchObject({ hash: hashApiKey(shown?.agentKey ?? ""), agentId: agent?.id, scopes: ["turns:write", "tools:read"] });

  const events = await db().select().from(auditEvents).orderBy(auditEvents.id);
  expect(events.map(({ event }) => event)).toEqual(["workspace.created", "agent.created", "user.created", "api_key.created"]);
  expect(JSON.stringify(events)).not.toContain(shown?.agentKey);
});

test.each([
  [true, []],
  [false, ["Commands that only look"]],
])("where the sandbox is on (%s), a new workspace has the rules %j", async (isOn, names) => {
  const status = vi.spyOn(sandbox, "sandboxStatus").mockReturnValue({ setting: "auto", isOn, kind: null, sentence: "" });
  onTestFinished(() => status.mockRestore());
  await db().delete(workspaces);
  await db().delete(users);
  await bootstrapWorkspace({ email: "owner@example.com", password: null });
  expect((await db().select().from(guardRules)).map(({ name }) => name)).toEqual(names);
  const [version] = await db().select().from(guardVersions);
  expect(version?.snapshot.rules.map(({ name }) => name)).toEqual(names);
});
