import { eq } from "drizzle-orm";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiKeys, auditEvents, sessions } from "@/db/schema";
import { forgetActors } from "@/server/auth/actor-cache";
import { actorFromRequest } from "@/server/auth/actor-from-request";
import { createApiKey } from "@/server/auth/api-keys/create-api-key";
import { revokeApiKey } from "@/server/auth/api-keys/revoke-api-key";
import { removeUser } from "@/server/auth/members/remove-user";
import { updateUser } from "@/server/auth/members/update-user";
import { nextAuthOptions } from "@/server/auth/sign-in/next-auth-options";
import { sessionCookieName, sessionSecret } from "@/server/auth/sign-in/session-cookie";
import { beginSession } from "@/server/auth/sign-in/sessions";
import { passwordFingerprint, type UserClaims } from "@/server/auth/sign-in/user-claims";
import { createUserToken } from "@/server/auth/sign-in/user-token";
import { eventStream, type StreamedEvent } from "@/server/endpoints/event-stream";
import { runWhileAllowed } from "@/server/endpoints/run-while-allowed";
import { db } from "@/server/platform/database/database";
import { listenForSignals } from "@/server/platform/signals/bus";
import { authorize, type BuiltWorkspace, buildUser, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";

useTestDatabase();

let unlisten: () => Promise<void>;
beforeAll(async () => {
  unlisten = await listenForSignals();
});
afterAll(() => unlisten());

const neverAborted = new AbortController().signal;

async function* silence(until: AbortSignal): AsyncGenerator<StreamedEvent> {
  yield { event: "begun", data: {} };
  await new Promise((resolve) => until.addEventListener("abort", resolve));
}

/** Opens a stream and a long poll with these headers. */
async function openAs(headers: Record<string, string>) {
  const asked = () => actorFromRequest(new Request("http://handrail.test/api/v1/me", { headers }), "r");
  const isStillAllowed = () =>
    asked().then(
      (actor) => actor !== null,
      () => false,
    );
  expect(await isStillAllowed()).toBe(true);
  const stream = eventStream({ signal: neverAborted, isStillAllowed }, silence).text();
  const poll = runWhileAllowed(
    { signal: neverAborted, isStillAllowed },
    (until) => new Promise((resolve) => until.addEventListener("abort", resolve)),
  );
  const refusal = poll.then(
    () => "answered",
    (error: Error) => error.message,
  );
  return { isStillAllowed, stream, refusal };
}

async function signedIn({ workspace }: BuiltWorkspace) {
  const user = await buildUser(workspace.id, "viewer");
  const session = await beginSession(db(), { workspaceId: workspace.id, userId: user.id, method: "console" });
  const claims: UserClaims = { sub: user.id, workspace: workspace.id, password: passwordFingerprint(null), session };
  const cookie = `${sessionCookieName()}=${await encode({ token: claims, secret: sessionSecret() })}`;
  return { user, claims, cookie, bearer: `Bearer ${(await createUserToken(claims)).token}` };
}

async function expectEnded({ isStillAllowed, stream, refusal }: Awaited<ReturnType<typeof openAs>>): Promise<void> {
  expect(await stream).toContain("begun");
  expect(await refusal).toContain("Your access ended while you waited");
  expect(await isStillAllowed()).toBe(false);
}

test("signing out ends copies of the cookie, and streams and long polls that were opened with it", async () => {
  const { claims, cookie, user } = await signedIn(await buildWorkspace());
  const open = await openAs({ cookie });
  const { signOut } = nextAuthOptions().events ?? {};
  // next-auth passes its own claims together with the claims of the cookie.
  await signOut?.({ token: { ...claims, iat: 1 }, session: { expires: "" } });
  await expectEnded(open);
  const told = await db().select().from(auditEvents).where(eq(auditEvents.actorId, user.id));
  expect(told).toMatchObject([{ event: "user.signed_out", subject: expect.stringContaining("@example.com") }]);
});

test("revoking a key ends its streams and long polls", async () => {
  const built = await buildWorkspace();
  const admin = authorize(built.admin, "admin");
  const { id, key } = await createApiKey(admin, { name: "Runtime", scopes: ["tools:read"] });
  const open = await openAs({ authorization: `Bearer ${key}` });
  await revokeApiKey(admin, id);
  await expectEnded(open);
  expect(await db().select().from(apiKeys).where(eq(apiKeys.id, id))).toMatchObject([{ revokedAt: expect.any(Date) }]);
});

test("a long poll that ends by itself answers nothing to a key that expired meanwhile", async () => {
  const built = await buildWorkspace();
  const { id, key } = await createApiKey(authorize(built.admin, "admin"), { name: "Runtime", scopes: ["tools:read"] });
  const caller = {
    signal: neverAborted,
    isStillAllowed: () =>
      actorFromRequest(new Request("http://handrail.test/api/v1/me", { headers: { authorization: `Bearer ${key}` } }), "r").then(
        () => true,
        () => false,
      ),
  };
  expect(await runWhileAllowed(caller, async () => "before")).toBe("before");
  const answer = runWhileAllowed(caller, async () => {
    await db().update(apiKeys).set({ expiresAt: new Date() }).where(eq(apiKeys.id, id));
    forgetActors();
    return "after";
  });
  await expect(answer).rejects.toMatchObject({ code: "unauthenticated" });
});

test("another password ends the cookie, the token and what was opened with them", async () => {
  const built = await buildWorkspace();
  const { user, cookie, bearer } = await signedIn(built);
  const opened = [await openAs({ cookie }), await openAs({ authorization: bearer })];
  await updateUser(authorize(built.admin, "admin"), user.id, { password: "a gate that nobody guesses" });
  for (const open of opened) await expectEnded(open);
  expect(await db().select().from(sessions).where(eq(sessions.userId, user.id))).toEqual([]);
});

test("removing a member ends what they opened, and nothing of another member", async () => {
  const built = await buildWorkspace();
  const gone = await signedIn(built);
  const stays = await signedIn(built);
  const theirs = await openAs({ cookie: stays.cookie });
  const open = await openAs({ cookie: gone.cookie });
  await removeUser(authorize(built.admin, "admin"), gone.user.id);
  await expectEnded(open);
  expect(await theirs.isStillAllowed()).toBe(true);
});
