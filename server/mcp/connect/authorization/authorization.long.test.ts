import { desc, eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { auditEvents, mcpAuthorizations, mcpServers } from "@/db/schema";
import { startOAuthServers } from "@/e2e/oauth-servers";
import { requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import type { PersonQuestion } from "@/server/tools/define-tool";
import { beginAuthorization } from "../servers/begin-authorization";
import { createServer } from "../servers/create-server";
import { endAuthorization } from "../servers/end-authorization";
import { type CallbackQuery, finishAuthorization } from "../servers/finish-authorization";
import { patchServer } from "../servers/update-server";
import { redirectUrl } from "./oauth-client";
import { renewTokens } from "./renew-tokens";

const { admin, house, start, statusOf, run, refusalOf, reader, rowsOf, patience } = useConnectedServers();
const sessionId = newId();
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function servers(options: Parameters<typeof startOAuthServers>[0] = {}) {
  const started = await startOAuthServers(options);
  cleanups.push(started.close);
  return started;
}

const notes = (url: string, rest: Partial<McpServerDraft> = {}) =>
  McpServerDraft.parse({ alias: "notes", transport: "streamable_http", url, connectTimeoutSeconds: 10, ...rest });

/** Adds the server and waits until it asks for a sign-in. */
async function askedFor(url: string, rest: Partial<McpServerDraft> = {}) {
  const { id } = await createServer(admin(), notes(url, rest));
  return statusOf(id, "needs_sign_in");
}

const begin = (id: string) => beginAuthorization(admin(), id, {}, sessionId);
const queryOf = (back: URL): CallbackQuery => Object.fromEntries(back.searchParams);
const finish = (back: URL, changed: CallbackQuery = {}, session = sessionId) =>
  finishAuthorization(admin(), session, { ...queryOf(back), ...changed });

async function signIn(id: string, oauth: Awaited<ReturnType<typeof servers>>) {
  const { authorizationUrl } = await begin(id);
  return finish(oauth.allow(authorizationUrl));
}

async function connected(oauth: Awaited<ReturnType<typeof servers>>) {
  const { id } = await askedFor(oauth.url);
  expect(await signIn(id, oauth)).toEqual({ outcome: "connected", serverId: id });
  return statusOf(id, "connected");
}

const lastEvents = async (count: number) =>
  (
    await db()
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.workspaceId, house().workspace.id))
      .orderBy(desc(auditEvents.id))
      .limit(count)
  ).map(({ event }) => event);
const authorizationOf = async (id: string) => (await db().select().from(mcpAuthorizations).where(eq(mcpAuthorizations.serverId, id)))[0];

test("a server that wants a sign-in is connected by one, and its tools run with the token that nobody sees", async () => {
  await start();
  const oauth = await servers();
  const asked = await askedFor(oauth.url);
  expect(asked).toMatchObject({ lastError: expect.stringContaining("needs a sign-in"), authorization: { issuer: null, signedInBy: null } });
  expect(await signIn(asked.id, oauth)).toEqual({ outcome: "connected", serverId: asked.id });
  const server = await statusOf(asked.id, "connected");
  expect(server.authorization).toMatchObject({
    issuer: oauth.issuer,
    scope: "notes:read",
    neededScope: null,
    signedInBy: house().admin.name,
  });
  expect(server.authorization?.signedInAt).toMatch(/^\d{4}-.*Z$/);
  expect(await run(asked.id, "notes__read_notes")).toBe("read_notes done");
  const stored = JSON.stringify([
    await authorizationOf(asked.id),
    await db().select().from(mcpServers),
    await db().select().from(auditEvents),
  ]);
  expect(stored).not.toMatch(/at_|rt_/);
  const [registered] = [...oauth.clients.values()];
  expect(registered?.redirectUris).toEqual([redirectUrl()]);
  expect(await lastEvents(3)).toEqual(expect.arrayContaining(["mcp_server.signed_in", "mcp_server.sign_in_started"]));
});

test("a sign-in is found without a hint in the challenge, at the standard addresses", async () => {
  await start();
  const oauth = await servers({ namesMetadata: false });
  await connected(oauth);
});

test("a server over the older event stream asks for a sign-in too", async () => {
  await start();
  const oauth = await servers();
  const { id } = await askedFor(oauth.url, { transport: "sse" });
  expect((await begin(id)).issuer).toBe(new URL(oauth.issuer).host);
});

test("a token is renewed on a 401, once for calls of the same moment, and the new refresh token is kept", async () => {
  await start();
  const oauth = await servers();
  const { id } = await connected(oauth);
  for (const round of [1, 2]) {
    oauth.expire();
    const before = oauth.log.filter((line) => line === "POST /token").length;
    const answers = await Promise.all([1, 2, 3].map(() => run(id, "notes__read_notes")));
    expect(answers, `round ${round}`).toEqual(Array(3).fill("read_notes done"));
    expect(oauth.log.filter((line) => line === "POST /token").length - before).toBe(1);
  }
  // Another replica that still has the first token takes the stored one.
  const renewals = oauth.log.length;
  expect(await renewTokens({ serverId: id, personId: null }, oauth.url, 1)).toMatchObject({ kind: "renewed", access: { generation: 3 } });
  expect(oauth.log.length).toBe(renewals);
});

test("a token near its end is renewed before a call, so that the server never sees an old one", async () => {
  await start();
  const oauth = await servers({ lifeSeconds: 2 });
  const { id } = await connected(oauth);
  const { refusals } = oauth.state;
  await expect
    .poll(async () => {
      await run(id, "notes__read_notes");
      return (await authorizationOf(id))?.generation;
    }, patience)
    .toBeGreaterThan(1);
  expect(oauth.state.refusals).toBe(refusals);
});

test("a refused renewal asks for another sign-in: the call says so, and the tools stay listed as unavailable", async () => {
  await start();
  const oauth = await servers();
  const { id } = await connected(oauth);
  oauth.expire();
  oauth.state.refusesRenewal = true;
  expect(await refusalOf(run(id, "notes__read_notes"))).toContain("notes needs a sign-in");
  const server = await statusOf(id, "needs_sign_in");
  expect(server.authorization?.issuer).toBeNull();
  expect((await rowsOf(id)).map(({ availability, availabilityReason }) => [availability, availabilityReason])).toContainEqual([
    "stale",
    expect.stringContaining("needs a sign-in"),
  ]);
  expect(await lastEvents(2)).toContain("mcp_server.signed_out");
  oauth.state.refusesRenewal = false;
  await signIn(id, oauth);
  await statusOf(id, "connected");
});

test("an authorization server that is away ends no sign-in", async () => {
  await start();
  const oauth = await servers();
  const { id } = await connected(oauth);
  oauth.expire();
  oauth.state.isDown = true;
  expect(await refusalOf(run(id, "notes__read_notes"))).toContain("did not renew the sign-in");
  oauth.state.isDown = false;
  await expect.poll(() => run(id, "notes__read_notes").catch((error: Error) => error.message), patience).toBe("read_notes done");
});

test("a call that needs a wider scope waits until a person has connected the server again, and then runs", async () => {
  await start();
  const oauth = await servers();
  const { id } = await connected(oauth);
  const questions: PersonQuestion[] = [];
  const ask = async (question: PersonQuestion) => {
    questions.push(question);
    expect((await statusOf(id, "connected")).authorization?.neededScope).toBe("notes:write");
    const { authorizationUrl, scope } = await begin(id);
    expect(scope).toBe("notes:read notes:write");
    await finish(oauth.allow(authorizationUrl));
    return "Done";
  };
  expect(await run(id, "notes__write_note", {}, { ask })).toBe("write_note done");
  expect(questions).toEqual([
    {
      text: "notes refused the call, because it needs the scope notes:write. Connect it again under MCP servers to grant it. An admin can do that on the page of the server. Then answer Done, and the call runs.",
      options: ["Done", "Decline"],
      url: expect.stringMatching(/\/mcp-servers\?server=notes$/),
    },
  ]);
  expect(await run(id, "notes__write_note")).toBe("write_note done");
});

test.each([
  ["nobody can be asked", undefined],
  ["somebody declines", async () => "Decline"],
  ["nobody answers", () => Promise.reject(new AppError("conflict", "Nobody answered the question in time."))],
  ["the answer is Done without a new sign-in", async () => "Done"],
])("a call that needs a wider scope says the way out when %s, and runs when it is sent again after that", async (_when, ask) => {
  await start();
  const oauth = await servers();
  const { id } = await connected(oauth);
  expect(await refusalOf(run(id, "notes__write_note", {}, ask ? { ask } : {}))).toBe(
    "notes refused the call, because it needs the scope notes:write. Connect it again under MCP servers to grant it. Nothing was run: send the same call again after that, or go on without it.",
  );
  await finish(oauth.allow((await begin(id)).authorizationUrl));
  await expect.poll(() => run(id, "notes__write_note").catch((error: Error) => error.message), patience).toBe("write_note done");
});

test("Disconnect forgets the tokens and revokes them", async () => {
  await start();
  const oauth = await servers();
  const { id } = await connected(oauth);
  const left = await endAuthorization(admin(), id);
  expect(left.authorization).toBeNull();
  expect(oauth.state.revoked).toBe(1);
  expect(oauth.tokensInUse()).toBe(0);
  expect((await authorizationOf(id))?.tokensSealed).toBeNull();
  await statusOf(id, "needs_sign_in");
  expect(await refusalOf(endAuthorization(admin(), id))).toContain("Nobody is signed in");
});

test("another address drops the tokens, and the old token never reaches it", async () => {
  await start();
  const [oauth, other] = [await servers(), await servers()];
  const { id } = await connected(oauth);
  await patchServer(admin(), id, { url: other.url }, null);
  expect(await authorizationOf(id)).toBeUndefined();
  const moved = await statusOf(id, "needs_sign_in");
  expect(moved.authorization?.issuer).toBeNull();
  expect(oauth.received.size).toBe(1);
  expect(other.received.size).toBe(0);
});

test("a state is good once, for the person and the session that began it", async () => {
  await start();
  const oauth = await servers();
  const { id } = await askedFor(oauth.url);
  const back = oauth.allow((await begin(id)).authorizationUrl);
  expect(await finish(back, { state: "invented" })).toEqual({ outcome: "expired", serverId: null });
  expect(await finish(back, {}, newId())).toEqual({ outcome: "not_yours", serverId: id });
  const colleague = requirePermission({ ...house().admin, personId: newId() }, "mcp:write");
  expect(await finishAuthorization(colleague, sessionId, queryOf(back))).toEqual({ outcome: "not_yours", serverId: id });
  const viewer = await finishAuthorization({ ...reader(), personId: house().admin.personId }, sessionId, queryOf(back));
  expect(viewer).toEqual({ outcome: "not_yours", serverId: null });
  expect(oauth.log).not.toContain("POST /token");
  expect((await finish(back)).outcome).toBe("connected");
  expect(await finish(back), "the state of a finished sign-in").toEqual({ outcome: "expired", serverId: null });
});

test("an answer of another issuer, without an issuer, or with an error of the person stores nothing and says why", async () => {
  await start();
  const oauth = await servers();
  const { id } = await askedFor(oauth.url);
  const reasons: (string | null)[] = [];
  const changes: CallbackQuery[] = [{ iss: "https://evil.example" }, { iss: undefined }, { error: "access_denied", code: undefined }];
  for (const changed of changes) {
    const back = oauth.allow((await begin(id)).authorizationUrl);
    expect((await finish(back, changed)).outcome).toBe("failed");
    const [row] = await db().select().from(mcpServers).where(eq(mcpServers.id, id));
    reasons.push(row?.lastError ?? null);
  }
  expect(reasons).toEqual([
    expect.stringContaining("did not come from"),
    expect.stringContaining("did not come from"),
    expect.stringContaining("access_denied"),
  ]);
  expect(oauth.log).not.toContain("POST /token");
  expect((await authorizationOf(id))?.tokensSealed).toBeNull();
});

test("a code that was used before is refused by the authorization server, which ends all its tokens", async () => {
  await start();
  const oauth = await servers();
  const { id } = await connected(oauth);
  const first = oauth.allow((await begin(id)).authorizationUrl);
  await finish(first);
  const second = new URL(first);
  second.searchParams.set("state", new URL((await begin(id)).authorizationUrl).searchParams.get("state") ?? "");
  expect((await finish(second)).outcome).toBe("failed");
  const [row] = await db().select().from(mcpServers).where(eq(mcpServers.id, id));
  expect(row?.lastError).toContain("invalid_grant");
});

test("nobody is asked to sign in for a foreign resource, at a foreign issuer, or without PKCE", async () => {
  await start();
  const cases: [Parameters<typeof startOAuthServers>[0], RegExp][] = [
    [{ resource: "https://bank.example/mcp" }, /another resource, https:\/\/bank\.example/],
    [{ issuer: "https://accounts.example" }, /another issuer/],
    [{ pkceMethods: ["plain"] }, /PKCE/],
    [{ registersClients: false }, /client ID/],
  ];
  for (const [index, [options, why]] of cases.entries()) {
    const oauth = await servers(options);
    const { id } = await askedFor(oauth.url, { alias: `notes-${index}` });
    expect(await refusalOf(begin(id))).toMatch(why);
  }
});

test("metadata that leads to a private address is not followed", async () => {
  await start();
  const oauth = await servers({ isApart: true });
  const { id } = await askedFor(oauth.url);
  expect(await refusalOf(begin(id))).toMatch(/private or local address/);
  expect(oauth.log.filter((line) => line.includes("oauth-authorization-server"))).toEqual([]);
});

test("an admin's client with its secret is used where the issuer registers nobody", async () => {
  await start();
  const oauth = await servers({ registersClients: false });
  const { id } = await askedFor(oauth.url);
  oauth.clients.set("handrail", { redirectUris: [redirectUrl()], secret: "s3cret-of-the-client" });
  const { authorizationUrl } = await beginAuthorization(
    admin(),
    id,
    { clientId: "handrail", clientSecret: "s3cret-of-the-client" },
    sessionId,
  );
  expect((await finish(oauth.allow(authorizationUrl))).outcome).toBe("connected");
  await statusOf(id, "connected");
  expect((await begin(id)).authorizationUrl).toContain("client_id=handrail");
  expect(JSON.stringify(await authorizationOf(id))).not.toContain("s3cret");
});

test("only a browser's session can begin, and only at a server over HTTP", async () => {
  await start();
  const oauth = await servers();
  const { id } = await askedFor(oauth.url);
  expect(await refusalOf(beginAuthorization(admin(), id, {}, null))).toContain("browser");
  const program = await createServer(
    admin(),
    McpServerDraft.parse({ alias: "program", transport: "stdio", command: "node", enabled: false }),
  );
  expect(await refusalOf(begin(program.id))).toContain("program on Handrail's machine");
});

test("a server with an Authorization header of its own keeps to it", async () => {
  await start();
  const oauth = await servers();
  const { id } = await createServer(admin(), notes(oauth.url, { headers: { authorization: "Bearer stale" } }));
  expect((await statusOf(id, "error")).lastError).toContain("Check the headers");
});
