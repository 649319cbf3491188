import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents, users } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { buildUser, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { hashPassword, verifyPassword } from "./password";
import { signInWithPassword } from "./sign-in-with-password";

useTestDatabase();

const way = { method: "token", address: "192.0.2.1", requestId: "r" } as const;

async function personWith(password: string) {
  const { workspace } = await buildWorkspace();
  const { id } = await buildUser(workspace.id, "admin");
  const [user] = await db()
    .update(users)
    .set({ passwordHash: await hashPassword(password) })
    .where(eq(users.id, id))
    .returning();
  if (!user) throw new Error("The user was not found");
  return { user, workspace };
}

test("a password is kept as Argon2id, and its letters may be composed in either way", async () => {
  const hash = await hashPassword("Fünfzehn Zeichen");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(hash, "Fu\u0308nfzehn Zeichen")).toBe(true);
  expect(await verifyPassword(hash, "fünfzehn zeichen")).toBe(false);
  expect(await verifyPassword(null, "")).toBe(false);
});

test("the right password signs in, and the audit says who, how and from where", async () => {
  const { user, workspace } = await personWith("a long password");
  const { claims } = await signInWithPassword({ email: user.email, password: "a long password" }, way);
  expect(claims).toMatchObject({ sub: user.id, workspace: workspace.id });
  const rows = await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, workspace.id));
  expect(rows).toMatchObject([
    { event: "user.signed_in", actorId: user.id, subject: user.email, data: { method: "token", address: "192.0.2.1" } },
  ]);
  const [saved] = await db().select().from(users).where(eq(users.id, user.id));
  expect(saved?.lastSignInAt).not.toBeNull();
});

test("a wrong password and an unknown address get the same answer, and both are audited without the password", async () => {
  const { user, workspace } = await personWith("a long password");
  const wrong = signInWithPassword({ email: user.email, password: "another password" }, way);
  await expect(wrong).rejects.toMatchObject({ code: "wrong_credentials" });
  const unknown = signInWithPassword({ email: "stranger@example.com", password: "another password" }, way);
  await expect(unknown).rejects.toMatchObject({ code: "wrong_credentials", message: (await wrong.catch((error) => error)).message });

  const failures = await db().select().from(auditEvents).where(eq(auditEvents.event, "user.sign_in_failed"));
  expect(failures.map(({ subject, actorId }) => [subject, actorId])).toEqual([
    [user.email, user.id],
    ["stranger@example.com", "unknown"],
  ]);
  expect(failures[0]?.workspaceId).toBe(workspace.id);
  expect(JSON.stringify(failures)).not.toContain("another password");
});

test("after five failures within a minute even the right password has to wait", async () => {
  const { user } = await personWith("a long password");
  for (let index = 0; index < 5; index++) {
    await expect(signInWithPassword({ email: user.email, password: "wrong" }, { ...way, address: null })).rejects.toMatchObject({
      code: "wrong_credentials",
    });
  }
  const late = signInWithPassword({ email: user.email, password: "a long password" }, { ...way, address: null });
  await expect(late).rejects.toMatchObject({ code: "too_many_requests", details: { retryAfterSeconds: expect.any(Number) } });
});
