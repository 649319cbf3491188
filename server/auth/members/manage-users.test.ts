import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents, memberships, users } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildApiKey, buildUser, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { verifyPassword } from "../sign-in/password";
import { createUser } from "./create-user";
import { listUsers } from "./list-users";
import { removeUser } from "./remove-user";
import { updateUser } from "./update-user";

useTestDatabase();

const draftOf = (role: "owner" | "admin" | "approver" | "viewer") => ({
  email: `${newId()}@example.com`,
  name: "Ann",
  role,
  password: "twelve letters",
});
const roleOf = async (userId: string) => (await db().select().from(memberships).where(eq(memberships.userId, userId)))[0]?.role;

async function build() {
  const built = await buildWorkspace();
  return { ...built, owner: await buildUser(built.workspace.id, "owner") };
}

test("an admin adds a member, changes role and name, and each change is audited without the password", async () => {
  const { admin, workspace } = await build();
  const draft = draftOf("viewer");
  const user = await createUser(authorize(admin, "admin"), draft);
  expect(user).toMatchObject({ email: draft.email, name: "Ann", role: "viewer", lastSignInAt: null });
  expect(
    await updateUser(authorize(admin, "admin"), user.id, { name: "Anna", role: "approver", password: "another twelve" }),
  ).toMatchObject({
    name: "Anna",
    role: "approver",
  });
  const [row] = await db().select().from(users).where(eq(users.id, user.id));
  expect(await verifyPassword(row?.passwordHash ?? null, "another twelve")).toBe(true);

  await removeUser(authorize(admin, "admin"), user.id);
  expect(await roleOf(user.id)).toBeUndefined();
  const audit = await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, workspace.id));
  expect(audit.map(({ event }) => event)).toEqual(["user.created", "user.updated", "user.removed"]);
  expect(audit[1]?.data).toMatchObject({ role: { from: "viewer", to: "approver" }, passwordChanged: true });
  expect(JSON.stringify(audit)).not.toMatch(/twelve|argon2/);
});

test("somebody whom another workspace knows joins with the password that they have", async () => {
  const first = await build();
  const second = await build();
  const draft = draftOf("admin");
  const known = await createUser(authorize(first.admin, "admin"), draft);
  const joined = await createUser(authorize(second.admin, "admin"), {
    ...draft,
    name: "Other",
    role: "viewer",
    password: "a takeover try",
  });
  expect(joined).toMatchObject({ id: known.id, name: "Ann", role: "viewer" });
  const [row] = await db().select().from(users).where(eq(users.id, known.id));
  expect(await verifyPassword(row?.passwordHash ?? null, draft.password)).toBe(true);

  const takeover = updateUser(authorize(second.admin, "admin"), known.id, { password: "a takeover try" });
  await expect(takeover).rejects.toMatchObject({ code: "conflict" });
  await expect(createUser(authorize(second.admin, "admin"), draft)).rejects.toMatchObject({ code: "conflict" });
});

test("only owners manage owners", async () => {
  const { admin, owner, workspace } = await build();
  const key = await buildApiKey(workspace.id, { scopes: ["admin"] });
  for (const actor of [admin, key]) {
    await expect(createUser(authorize(actor, "admin"), draftOf("owner"))).rejects.toMatchObject({ code: "forbidden" });
    await expect(updateUser(authorize(actor, "admin"), admin.id, { role: "owner" })).rejects.toMatchObject({ code: "forbidden" });
    await expect(updateUser(authorize(actor, "admin"), owner.id, { password: "taken over now" })).rejects.toMatchObject({
      code: "forbidden",
    });
    await expect(removeUser(authorize(actor, "admin"), owner.id)).rejects.toMatchObject({ code: "forbidden" });
  }
  expect((await updateUser(authorize(owner, "admin"), admin.id, { role: "owner" })).role).toBe("owner");
});

test("the last owner can neither be demoted nor removed, not even by two owners at once", async () => {
  const { owner, workspace } = await build();
  await expect(updateUser(authorize(owner, "admin"), owner.id, { role: "admin" })).rejects.toMatchObject({ code: "conflict" });
  await expect(removeUser(authorize(owner, "admin"), owner.id)).rejects.toMatchObject({ code: "conflict" });

  const second = await buildUser(workspace.id, "owner");
  const results = await Promise.allSettled([
    updateUser(authorize(owner, "admin"), second.id, { role: "viewer" }),
    removeUser(authorize(second, "admin"), owner.id),
  ]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const owners = await db()
    .select()
    .from(memberships)
    .where(and(eq(memberships.workspaceId, workspace.id), eq(memberships.role, "owner")));
  expect(owners).toHaveLength(1);
});

test("nobody removes themselves, and another workspace's member is not there", async () => {
  const { admin } = await build();
  const other = await build();
  await expect(removeUser(authorize(admin, "admin"), admin.id)).rejects.toMatchObject({ code: "conflict" });
  await expect(removeUser(authorize(admin, "admin"), other.viewer.id)).rejects.toMatchObject({ code: "not_found" });
  await expect(updateUser(authorize(admin, "admin"), other.viewer.id, { role: "admin" })).rejects.toMatchObject({ code: "not_found" });
  const { items, total } = await listUsers(authorize(admin, "admin"), { limit: 50 });
  expect(items.map(({ id }) => id)).not.toContain(other.viewer.id);
  expect(total).toBe(items.length);
});
