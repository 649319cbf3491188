import { and, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { auditEvents, users } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { compareClocks } from "@/server/platform/database/shared-clock";
import { newId } from "@/server/platform/ids";
import { authorize, buildUser, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { signInWithPassword } from "../sign-in/sign-in-with-password";
import { createUser } from "./create-user";
import { acceptInvitation, createInvitation } from "./invitations";
import { removeUser } from "./remove-user";

useTestDatabase();

const password = "copper lantern 19 meadow";
const way = { method: "token", address: null, requestId: "request" } as const;

async function invited() {
  const built = await buildWorkspace();
  const owner = authorize(await buildUser(built.workspace.id, "owner"), "admin");
  const user = await createUser(owner, { email: `${newId()}@example.com`, name: "Ann", role: "approver" });
  const { url, expiresAt } = await createInvitation(owner, user.id);
  return { owner, user, expiresAt, workspaceId: built.workspace.id, token: url.slice(url.indexOf("#") + 1), url };
}

test("an invited person chooses a password once, signs in with it, and the audit holds neither password nor link", async () => {
  const { user, token, url, workspaceId } = await invited();
  expect(url).toMatch(/\/invitation#/);
  await expect(signInWithPassword({ email: user.email, password: "" }, way)).rejects.toMatchObject({ code: "wrong_credentials" });
  expect(await acceptInvitation({ token, password }, "request")).toEqual({ email: user.email });
  await expect(signInWithPassword({ email: user.email, password }, way)).resolves.toMatchObject({ person: { id: user.id } });
  await expect(acceptInvitation({ token, password: "velvet anchor 71 mosaic" }, "request")).rejects.toThrow(/does not hold any more/);
  const rows = await db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.workspaceId, workspaceId), eq(auditEvents.subject, user.id)))
    .orderBy(auditEvents.id);
  expect(rows.map(({ event }) => event)).toEqual(["user.created", "user.invited", "user.updated"]);
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(JSON.stringify(rows)).not.toContain(password);
});

test("of two people with one link, one chooses the password", async () => {
  const { token } = await invited();
  const answers = await Promise.allSettled([
    acceptInvitation({ token, password }, "first"),
    acceptInvitation({ token, password: "velvet anchor 71 mosaic" }, "second"),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a link of a removed member, a changed link and an expired link set no password", async () => {
  const { owner, user, token, expiresAt } = await invited();
  await expect(acceptInvitation({ token: `${token.slice(0, -3)}abc`, password }, "request")).rejects.toThrow(/Ask for a new one/);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(expiresAt) + 1_000 });
  try {
    await expect(acceptInvitation({ token, password }, "request")).rejects.toThrow(/Ask for a new one/);
  } finally {
    vi.useRealTimers();
    await compareClocks();
  }
  await removeUser(owner, user.id);
  await expect(acceptInvitation({ token, password }, "request")).rejects.toThrow(/Ask for a new one/);
  const [row] = await db().select().from(users).where(eq(users.id, user.id));
  expect(row?.passwordHash ?? null).toBeNull();
});

test("a weak password is refused by its field, and the link still works", async () => {
  const { token } = await invited();
  await expect(acceptInvitation({ token, password: "password1234" }, "request")).rejects.toMatchObject({
    code: "invalid",
    details: { errors: [{ path: "password" }] },
  });
  await expect(acceptInvitation({ token, password }, "request")).resolves.toBeDefined();
});

test("nobody invites an owner without being one, a person of another workspace, or themselves", async () => {
  const { owner, user, workspaceId } = await invited();
  const admin = authorize(await buildUser(workspaceId, "admin"), "admin");
  await expect(createInvitation(admin, owner.id)).rejects.toThrow(/Only an owner/);
  await expect(createInvitation(admin, admin.id)).rejects.toThrow(/account menu/);
  const other = await buildWorkspace();
  const stranger = authorize(await buildUser(other.workspace.id, "owner"), "admin");
  await expect(createInvitation(stranger, user.id)).rejects.toMatchObject({ code: "not_found" });
  await createUser(stranger, { email: user.email, name: "Ann", role: "viewer" });
  await expect(createInvitation(owner, user.id)).rejects.toThrow(/another workspace/);
});
