import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ActorRef } from "@/contracts/common";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { auditEvents, mcpPersonSignIns, mcpServers, memberships } from "@/db/schema";
import { type Actor, requirePermission, systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { newId } from "@/server/platform/ids";
import { buildApiKey, buildConversation, buildUser } from "@/server/testing/builders";
import { browse, startProtectedServer } from "@/server/testing/mcp/authorization-server";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import type { PersonQuestion } from "@/server/tools/define-tool";
import { mcpConnections } from "../connections/connections";
import { beginAuthorization, beginPersonalSignIn } from "../servers/begin-authorization";
import { createServer } from "../servers/create-server";
import { endAuthorization, endPersonalSignIn } from "../servers/end-authorization";
import { type CallbackQuery, finishAuthorization } from "../servers/finish-authorization";
import { getServer } from "../servers/get-server";
import { listServerResources } from "../servers/list-server-contents";
import { listPersonSignIns } from "../servers/person-sign-ins";
import { signInAsClient } from "../servers/sign-in-as-client";
import { patchServer } from "../servers/update-server";

const { admin, house, start, statusOf, run, refusalOf, reader, patience } = useConnectedServers();
const cleanups: (() => Promise<unknown>)[] = [];
const sessionId = newId();
let ada: Actor;
let bob: Actor;
beforeEach(async () => {
  ada = { ...(await buildUser(house().workspace.id, "admin")), name: "The admin" };
  bob = await buildUser(house().workspace.id, "owner");
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

type Notes = Awaited<ReturnType<typeof startProtectedServer>>;

/** Lists the issuer as an operator does, because it is at a private address. */
const trusted = (issuer: string) => Object.assign(env(), { mcpAuthorizationHosts: [...env().mcpAuthorizationHosts, new URL(issuer).host] });

async function notes(options: Parameters<typeof startProtectedServer>[0] = {}): Promise<Notes> {
  const started = await startProtectedServer(options);
  cleanups.push(started.close);
  trusted(started.authorization().issuer);
  return started;
}

const draft = (url: string, rest: Partial<McpServerDraft> = {}) =>
  McpServerDraft.parse({ alias: "notes", transport: "streamable_http", url, connectTimeoutSeconds: 10, trustHints: true, ...rest });

/** Adds a server where each person signs in, and waits until it asks for a sign-in. */
async function personal(server: Notes, rest: Partial<McpServerDraft> = {}): Promise<string> {
  const { id } = await createServer(admin(), draft(server.url, { personalSignIn: true, ...rest }));
  await statusOf(id, "needs_sign_in");
  return id;
}

const mayCall = (person: Actor) => requirePermission(person, "turns:write");
const queryOf = (back: URL): CallbackQuery => Object.fromEntries(back.searchParams);

async function connect(id: string, person: Actor, account: string) {
  const { authorizationUrl } = await beginPersonalSignIn(mayCall(person), id, {}, sessionId);
  return finishAuthorization(person, sessionId, queryOf(await browse(authorizationUrl, account)));
}

async function connectWorkspace(id: string, account = "workspace") {
  const { authorizationUrl } = await beginAuthorization(admin(), id, {}, sessionId);
  return finishAuthorization(admin(), sessionId, queryOf(await browse(authorizationUrl, account)));
}

const by = (requestedBy: ActorRef, conversationId = newId()) => ({
  origin: { workspaceId: house().workspace.id, conversationId, requestedBy },
});
const whoami = (id: string, requestedBy: ActorRef, conversationId?: string) =>
  run(id, "notes__whoami", {}, by(requestedBy, conversationId));

const auditsOf = async (event: string) =>
  (await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, house().workspace.id))).filter(
    (row) => row.event === event && [ada.id, bob.id, "handrail"].includes(row.actorId),
  );

test("a call carries the sign-in of the person who asks, and no session serves two persons", async () => {
  await start();
  const server = await notes();
  const id = await personal(server);
  expect(await connect(id, ada, "ada")).toEqual({ outcome: "connected", serverId: id });
  expect(await statusOf(id, "connected")).toMatchObject({ listedWith: ada.name, authorization: null });
  await connect(id, bob, "bob");
  const answers = await Promise.all([ada, bob, ada, bob, ada, bob].map((person) => whoami(id, person)));
  expect(answers).toEqual(["ada", "bob", "ada", "bob", "ada", "bob"].map((name) => `whoami: ${name} with notes:read`));
  expect(server.seen.strangers).toBe(0);
  expect(server.sessionsOf("bob")).toBe(1);
  const stored = JSON.stringify(await db().select().from(mcpPersonSignIns));
  expect(stored).not.toMatch(/accessToken|refreshToken/);
  expect((await auditsOf("mcp_server.signed_in")).map(({ actorId, data }) => [actorId, (data as { personId: string }).personId])).toEqual([
    [ada.id, ada.id],
    [bob.id, bob.id],
  ]);
});

test("an API key carries the sign-in of the person who made it, and two persons in one conversation have a session each", async () => {
  await start();
  const server = await notes();
  const id = await personal(server, { sessionScope: "per_conversation" });
  await connect(id, ada, "ada");
  await connect(id, bob, "bob");
  await statusOf(id, "connected");
  const key = await buildApiKey(house().workspace.id, { agentId: house().agent.id, createdBy: bob });
  const conversation = await buildConversation(bob, { agentId: house().agent.id });
  const askers = [key, ada, key, ada];
  const answers = await Promise.all(askers.map((asker) => whoami(id, asker, conversation.id)));
  expect(answers).toEqual(["bob", "ada", "bob", "ada"].map((name) => `whoami: ${name} with notes:read`));
  expect(server.seen.strangers).toBe(0);
});

test("a person who is not signed in is named, with the place to connect, and nothing is sent", async () => {
  await start();
  const server = await notes();
  const id = await personal(server);
  await connect(id, ada, "ada");
  await statusOf(id, "connected");
  const calls = server.seen.calls.length;
  expect(await refusalOf(whoami(id, bob))).toBe(
    `${bob.name} is not signed in to notes, where each person signs in. ${bob.name} can connect it under MCP servers: ${env().publicUrl}/mcp-servers?server=notes Then send the call again.`,
  );
  expect(server.seen.calls.length).toBe(calls);
});

test("a call without a person carries the workspace's sign-in, and says who may connect it when there is none", async () => {
  await start();
  const server = await notes();
  const id = await personal(server);
  await connect(id, ada, "ada");
  await statusOf(id, "connected");
  const machine = await buildApiKey(house().workspace.id, { agentId: house().agent.id });
  for (const nobody of [machine, systemActor]) {
    expect(await refusalOf(whoami(id, nobody))).toContain(
      "this call belongs to no person, and the workspace is not signed in. An admin can connect the workspace under MCP servers:",
    );
  }
  expect(await refusalOf(run(id, "notes__whoami"))).toContain("belongs to no person");
  await connectWorkspace(id);
  await expect.poll(async () => (await getServer(reader(), id)).listedWith, patience).toBeNull();
  await statusOf(id, "connected");
  await expect.poll(() => whoami(id, machine).catch(String), patience).toBe("whoami: workspace with notes:read");
  expect(await whoami(id, ada)).toBe("whoami: ada with notes:read");
});

test("a member who leaves takes the sign-in along", async () => {
  await start();
  const server = await notes();
  const id = await personal(server);
  await connect(id, ada, "ada");
  await connect(id, bob, "bob");
  await statusOf(id, "connected");
  await db().delete(memberships).where(eq(memberships.userId, bob.id));
  expect(await refusalOf(whoami(id, bob))).toContain("belongs to no person");
  expect(await db().select().from(mcpPersonSignIns)).toHaveLength(1);
});

test("Disconnect ends one person's sign-in at once and revokes it; the tools are then listed with another person's", async () => {
  await start();
  const server = await notes();
  const id = await personal(server);
  await connect(id, ada, "ada");
  await statusOf(id, "connected");
  await connect(id, bob, "bob");
  expect(await whoami(id, ada)).toContain("ada");
  await endPersonalSignIn(mayCall(ada), id, ada.id);
  expect(server.authorization().log).toContain("POST /token/revocation");
  expect(await refusalOf(whoami(id, ada))).toContain("is not signed in to notes");
  await expect.poll(async () => (await getServer(reader(), id)).listedWith, patience).toBe(bob.name);
  await statusOf(id, "connected");
  await expect.poll(() => whoami(id, bob).catch(String), patience).toBe("whoami: bob with notes:read");
  await endPersonalSignIn(mayCall(bob), id, bob.id);
  expect((await statusOf(id, "needs_sign_in")).listedWith).toBeNull();
  expect((await auditsOf("mcp_server.signed_out")).length).toBe(2);
});

test("everybody sees their own sign-in, and admins of servers see and end all", async () => {
  await start();
  const server = await notes();
  const id = await personal(server);
  await connect(id, ada, "ada");
  await connect(id, bob, "bob");
  const caller = { ...bob, role: null, permissions: new Set(["turns:write", "tools:read"]) } as Actor;
  const shownTo = async (person: Actor) =>
    (await listPersonSignIns(requirePermission(person, "tools:read"), id)).items.map(({ personId, isYou }) => [personId, isYou]);
  expect(await shownTo(caller)).toEqual([[bob.id, true]]);
  expect(await shownTo(ada)).toEqual(
    expect.arrayContaining([
      [ada.id, true],
      [bob.id, false],
    ]),
  );
  expect(await refusalOf(endPersonalSignIn(mayCall(caller), id, ada.id))).toContain("somebody else");
  const key = await buildApiKey(house().workspace.id, { createdBy: bob });
  expect(await refusalOf(endPersonalSignIn(mayCall(key), id, bob.id))).toContain("somebody else");
  expect(await refusalOf(beginPersonalSignIn(mayCall(caller), id, { clientId: "mine" }, sessionId))).toContain("Only an admin");
  expect(await refusalOf(beginPersonalSignIn(mayCall(key), id, {}, null))).toContain("browser");
  await endPersonalSignIn(mayCall(ada), id, bob.id);
  expect(await shownTo(caller)).toEqual([]);
});

test("a person cannot finish what another began, and a failed sign-in tells that person only", async () => {
  await start();
  const server = await notes();
  const id = await personal(server);
  const { authorizationUrl } = await beginPersonalSignIn(mayCall(ada), id, {}, sessionId);
  const back = queryOf(await browse(authorizationUrl, "ada"));
  expect(await finishAuthorization(bob, sessionId, back)).toEqual({ outcome: "not_yours", serverId: id });
  expect((await finishAuthorization(ada, sessionId, { ...back, iss: "https://evil.example" })).outcome).toBe("failed");
  const shown = async (person: Actor) => (await listPersonSignIns(requirePermission(person, "tools:read"), id)).items;
  expect(await shown(ada)).toMatchObject([{ isYou: true, signedInAt: null, lastError: expect.stringContaining("did not come from") }]);
  expect((await getServer(reader(), id)).lastError).toContain("needs a sign-in");
  await connect(id, ada, "ada");
  expect(await shown(ada)).toMatchObject([{ lastError: null, issuer: server.authorization().issuer }]);
});

test("a wider scope is asked from the person whose call lacked it, and from nobody else", async () => {
  await start();
  const server = await notes();
  const id = await personal(server);
  await connect(id, ada, "ada");
  await connect(id, bob, "bob");
  await statusOf(id, "connected");
  const questions: PersonQuestion[] = [];
  const ask = async (question: PersonQuestion) => {
    questions.push(question);
    await connect(id, ada, "ada");
    return "Done";
  };
  expect(await run(id, "notes__write_note", {}, { ...by(ada), ask })).toBe("write_note: ada with notes:read notes:write");
  expect(questions.map(({ text }) => text)).toEqual([
    `notes refused the call, because it needs the scope notes:write. ${ada.name} has to connect it again under MCP servers to grant it. ${ada.name} can do that on the page of the server. Then answer Done, and the call runs.`,
  ]);
  const { scope } = await beginPersonalSignIn(mayCall(bob), id, {}, sessionId);
  expect(scope).toBe("notes:read");
  expect(await whoami(id, bob)).toBe("whoami: bob with notes:read");
});

test("each person's token is renewed for itself, and an ended one is that person's to connect again", async () => {
  await start();
  const server = await notes();
  const id = await personal(server);
  await connect(id, ada, "ada");
  await connect(id, bob, "bob");
  await statusOf(id, "connected");
  await whoami(id, ada);
  await whoami(id, bob);
  const generations = async () =>
    Object.fromEntries((await db().select().from(mcpPersonSignIns)).map(({ personId, generation }) => [personId, generation]));
  const before = await generations();
  server.endTokens("bob");
  expect(await Promise.all([whoami(id, bob), whoami(id, bob)])).toEqual(Array(2).fill("whoami: bob with notes:read"));
  expect(await generations()).toEqual({ [String(ada.id)]: before[ada.id], [String(bob.id)]: (before[bob.id] ?? 0) + 1 });
  await server.endGrant("bob");
  expect(await refusalOf(whoami(id, bob))).toContain(`${bob.name} is not signed in to notes`);
  expect(await whoami(id, ada)).toBe("whoami: ada with notes:read");
  expect((await auditsOf("mcp_server.signed_out")).map(({ data }) => (data as { personId?: string }).personId)).toEqual([bob.id]);
});

test("resources are listed as the asker sees them", async () => {
  await start();
  const server = await notes();
  const id = await personal(server);
  await connect(id, ada, "ada");
  await connect(id, bob, "bob");
  await statusOf(id, "connected");
  const namesFor = async (person: Actor) =>
    (await listServerResources(requirePermission(person, "tools:read"), id, {})).items.map(({ name }) => name);
  expect(await namesFor(bob)).toEqual(["Diary of bob"]);
  expect(await namesFor(ada)).toEqual(["Diary of ada"]);
  expect(await refusalOf(namesFor(house().admin))).toContain("is not signed in to notes");
});

test("an address that changes drops everybody's tokens", async () => {
  await start();
  const [server, other] = [await notes(), await notes()];
  const id = await personal(server);
  await connect(id, ada, "ada");
  await statusOf(id, "connected");
  await patchServer(admin(), id, { url: other.url }, null);
  expect(await db().select().from(mcpPersonSignIns)).toEqual([]);
  expect((await statusOf(id, "needs_sign_in")).listedWith).toBeNull();
  expect(other.seen.calls).toEqual([]);
});

test("an issuer that rotates gets no client, code or token of the issuer before", async () => {
  await start();
  const server = await notes();
  const id = await personal(server);
  await connect(id, ada, "ada");
  await statusOf(id, "connected");
  const { authorizationUrl } = await beginPersonalSignIn(mayCall(bob), id, {}, sessionId);
  const first = server.authorization();
  const second = await server.rotateIssuer();
  trusted(second.issuer);
  // A sign-in that has begun at the first issuer ends there; its code never reaches the second.
  const back = queryOf(await browse(authorizationUrl, "bob"));
  expect((await finishAuthorization(bob, sessionId, { ...back, iss: second.issuer })).outcome).toBe("failed");
  expect(second.log).toEqual([]);
  // The token of the first issuer is worth nothing now; its renewal goes to the first issuer only.
  expect(await refusalOf(whoami(id, ada))).toContain("is not signed in to notes");
  expect(second.log).not.toContain("POST /token");
  const clients = (await db().select().from(mcpServers)).length;
  expect(clients).toBe(1);
  await connect(id, ada, "ada");
  expect(second.log).toContain("POST /reg");
  expect(first.log.filter((line) => line === "POST /reg")).toHaveLength(1);
  await expect.poll(() => whoami(id, ada).catch(String), patience).toBe("whoami: ada with notes:read");
});

test("the workspace signs in with a client's id and secret, and its token is renewed by them", async () => {
  await start();
  const secret = "s3cret-of-the-client-that-nobody-sees";
  const clients = [
    { client_id: "handrail", client_secret: secret, grant_types: ["client_credentials"], redirect_uris: [], response_types: [] },
  ] satisfies NonNullable<Parameters<typeof startProtectedServer>[0]>["clients"];
  const server = await notes({ clients, registersClients: false });
  const { id } = await createServer(admin(), draft(server.url));
  await statusOf(id, "needs_sign_in");
  expect(await refusalOf(signInAsClient(admin(), id, { clientId: "handrail", clientSecret: "wrong" }))).toContain(
    "refused this client: invalid_client",
  );
  await signInAsClient(admin(), id, { clientId: "handrail", clientSecret: secret });
  await statusOf(id, "connected");
  expect(await run(id, "notes__whoami")).toBe("whoami: client handrail with notes:read");
  const before = server.authorization().log.filter((line) => line === "POST /token").length;
  server.endTokens("client handrail");
  expect(await run(id, "notes__whoami")).toBe("whoami: client handrail with notes:read");
  expect(server.authorization().log.filter((line) => line === "POST /token").length).toBe(before + 1);
  expect(JSON.stringify([await db().select().from(mcpServers), await db().select().from(auditEvents)])).not.toContain(secret);
  await endAuthorization(admin(), id);
  await statusOf(id, "needs_sign_in");
  expect(mcpConnections().find(id)?.session()).toBeNull();
});

test("the workspace's own Authorization header goes with no person's call", async () => {
  await start();
  const server = await notes();
  const headers = { authorization: "Bearer of-the-workspace" };
  const { id } = await createServer(admin(), draft(server.url, { personalSignIn: true, headers }));
  await statusOf(id, "error");
  await connect(id, ada, "ada");
  const session = mcpConnections().find(id)?.contents(ada);
  expect((await session?.listResources())?.items.map(({ name }) => name)).toEqual(["Diary of ada"]);
});
