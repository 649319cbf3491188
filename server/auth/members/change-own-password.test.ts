import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { sessions, users } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { authorize, buildUser, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { hashPassword, verifyPassword } from "../sign-in/password";
import { beginSession } from "../sign-in/sessions";
import { changeOwnPassword } from "./change-own-password";
import { updateUser } from "./update-user";

useTestDatabase();

const current = "velvet anchor 71 mosaic";
const next = "copper lantern 19 meadow";

async function person(role: "viewer" | "approver" | "admin") {
  const { workspace, agentKey } = await buildWorkspace();
  const actor = await buildUser(workspace.id, role);
  await db()
    .update(users)
    .set({ passwordHash: await hashPassword(current) })
    .where(eq(users.id, actor.id));
  await beginSession(db(), { workspaceId: workspace.id, userId: actor.id, method: "console" });
  return { actor, agentKey };
}

const hashOf = async (userId: string) => (await db().select().from(users).where(eq(users.id, userId)))[0]?.passwordHash ?? null;

test.each(["viewer", "approver", "admin"] as const)(
  "a %s changes their own password with the one they have, and every session ends",
  async (role) => {
    const { actor } = await person(role);
    await changeOwnPassword(actor, { currentPassword: current, newPassword: next }, null);
    expect(await verifyPassword(await hashOf(actor.id), next)).toBe(true);
    expect(await db().select().from(sessions).where(eq(sessions.userId, actor.id))).toEqual([]);
  },
);

test("without the current password nothing changes, and the field is named", async () => {
  const { actor } = await person("viewer");
  const change = (currentPassword: string, newPassword: string) => changeOwnPassword(actor, { currentPassword, newPassword }, null);
  await expect(change("not the one", next)).rejects.toMatchObject({ code: "invalid", details: { errors: [{ path: "currentPassword" }] } });
  await expect(change(current, current)).rejects.toMatchObject({ code: "invalid", details: { errors: [{ path: "newPassword" }] } });
  await expect(change(current, "password1234")).rejects.toMatchObject({ message: expect.stringContaining("too easy to guess") });
  expect(await verifyPassword(await hashOf(actor.id), current)).toBe(true);
});

test("a stolen session cannot guess the current password for long", async () => {
  const { actor } = await person("viewer");
  const guess = () => changeOwnPassword(actor, { currentPassword: "a wrong guess", newPassword: next }, "192.0.2.77");
  for (let guesses = 0; guesses < 5; guesses++) await expect(guess()).rejects.toMatchObject({ code: "invalid" });
  await expect(guess()).rejects.toMatchObject({ code: "too_many_requests" });
});

test("API keys, people without a password and the members' endpoint are refused with the way out", async () => {
  const { actor, agentKey } = await person("admin");
  const passwords = { currentPassword: current, newPassword: next };
  await expect(changeOwnPassword(agentKey, passwords, null)).rejects.toMatchObject({ code: "forbidden" });
  await expect(updateUser(authorize(actor, "admin"), actor.id, { password: next })).rejects.toMatchObject({
    message: expect.stringContaining("PUT /api/v1/me/password"),
  });
  await db().update(users).set({ passwordHash: null }).where(eq(users.id, actor.id));
  await expect(changeOwnPassword(actor, passwords, null)).rejects.toMatchObject({ message: expect.stringContaining("identity provider") });
});
