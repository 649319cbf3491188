import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { connect } from "@/db/client";
import { browserSessions, conversations, replicaMessages } from "@/db/schema";
import { endConversationNetworks } from "@/server/capabilities/sandbox/network/conversation-network";
import { unseal } from "@/server/platform/crypto";
import { databaseUrl, db } from "@/server/platform/database/database";
import { toErrorMessage } from "@/server/platform/errors";
import { bootId, newId } from "@/server/platform/ids";
import { listenForSignals } from "@/server/platform/signals/bus";
import { openMailbox, sendToReplica } from "@/server/replicas/mailbox";
import { type BuiltWorkspace, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { isRichResult, type ToolResult } from "@/server/tools/define-tool";
import { BrowserAction } from "./browser-action";
import { performAnywhere, relayTopic, serveRelayedActions } from "./relay-action";
import { endAllSessions, endIdleSessions, findSession, hasSession, startSession } from "./sessions";

vi.setConfig({ testTimeout: 120_000 });
useTestDatabase();

const signal = new AbortController().signal;
let built: BuiltWorkspace;
const stop: (() => Promise<void>)[] = [];

beforeAll(async () => {
  built = await buildWorkspace();
  serveRelayedActions();
  stop.push(await listenForSignals(), openMailbox());
});
afterAll(async () => {
  for (const end of stop.reverse()) await end();
  await endAllSessions();
  await endConversationNetworks();
});

const conversation = async () => (await buildConversation(built.admin, { agentId: built.agent.id })).id;
const perform = (conversationId: string, action: string) =>
  performAnywhere(BrowserAction.parse({ action }), { conversationId, privateHosts: [], signal });
const textOf = (result: ToolResult) => (isRichResult(result) ? result.text : String(result));
const refusal = (promise: Promise<unknown>) => promise.then((value) => `no refusal: ${JSON.stringify(value)}`, toErrorMessage);

/** Another replica as the database sees it: a held lock, and a mailbox that the test reads and answers. */
async function otherReplica() {
  const id = newId();
  const session = connect(databaseUrl(), { max: 1 }).pool;
  await session`select pg_advisory_lock(hashtextextended(${id}, 0))`;
  const next = () =>
    vi.waitFor(async () => {
      const [row] = await db().delete(replicaMessages).where(eq(replicaMessages.addressee, id)).returning();
      if (!row) throw new Error("no message yet");
      return JSON.parse(unseal(row.bodySealed));
    }, 10_000);
  return { id, next, die: () => session.end({ timeout: 0 }) };
}

test("browsers are few: an idle one makes room and its conversation is told, and unused ones are closed", async () => {
  const [first, second] = [await conversation(), await conversation()];
  expect(textOf(await perform(first, "start"))).toMatch(/^The browser started/);
  expect(textOf(await perform(first, "start"))).toBe("The browser runs already, at about:blank.");
  const refused = await refusal(startSession(second, { privateHosts: [], signal, most: 1 }));
  expect(refused).toMatch(/^1 browsers are in use, which is the most\. Try again in a minute/);
  (await findSession(first)).usedAt -= 61_000;
  await startSession(second, { privateHosts: [], signal, most: 1 });
  expect(await refusal(perform(first, "snapshot"))).toMatch(/^The browser was closed, because another conversation needed one/);
  await endIdleSessions();
  expect(hasSession(second)).toBe(true);
  (await findSession(second)).usedAt -= 31 * 60_000;
  await endIdleSessions();
  expect(await refusal(perform(second, "snapshot"))).toMatch(/^The browser was closed after 30 minutes without use\. Its pages are gone\./);
  expect(await db().select().from(browserSessions)).toEqual([]);
});

test("a call reaches the browser from any replica, and a deleted conversation loses its browser", async () => {
  const mine = await conversation();
  await perform(mine, "start");
  const other = await otherReplica();
  const call = { kind: "call", relay: "r1", from: other.id, conversationId: mine, privateHosts: [], action: { action: "current_surface" } };
  await sendToReplica(bootId(), relayTopic, call);
  const done = await other.next();
  expect(done).toMatchObject({ kind: "done", relay: "r1", result: { text: expect.stringContaining("1 tab is open.") } });
  await sendToReplica(bootId(), relayTopic, { ...call, relay: "r2", conversationId: newId() });
  expect(await other.next()).toMatchObject({
    kind: "failed",
    relay: "r2",
    message: "No browser running. Use action=open with a url first.",
  });
  await other.die();
  await db().delete(conversations).where(eq(conversations.id, mine));
  await endIdleSessions();
  expect(hasSession(mine)).toBe(false);
});

test("an action whose browser is on another replica is done there, and a lost replica is told", async () => {
  const theirs = await conversation();
  const other = await otherReplica();
  await db().insert(browserSessions).values({ conversationId: theirs, owner: other.id });
  const running = perform(theirs, "snapshot");
  const { relay, from, conversationId } = await other.next();
  expect({ from, conversationId }).toEqual({ from: bootId(), conversationId: theirs });
  await sendToReplica(bootId(), relayTopic, { kind: "done", relay, isRich: true, result: { text: "far away", files: [] } });
  expect(textOf(await running)).toBe("far away");
  const upload = { name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("hello") };
  const action = BrowserAction.parse({ action: "upload", ref: "@e1", path: "a.txt" });
  const uploading = performAnywhere(action, { conversationId: theirs, privateHosts: [], uploads: [upload], signal });
  const asked = await other.next();
  expect(asked.uploads).toEqual([{ name: "a.txt", mediaType: "text/plain", base64: Buffer.from("hello").toString("base64") }]);
  await sendToReplica(bootId(), relayTopic, { kind: "done", relay: asked.relay, isRich: true, result: { text: "uploaded", files: [] } });
  expect(textOf(await uploading)).toBe("uploaded");
  const lost = refusal(perform(theirs, "snapshot"));
  await other.next();
  await other.die();
  expect(await lost).toMatch(/^The replica that kept the browser of this conversation stopped.*is not known\.$/);
  expect(await refusal(perform(theirs, "snapshot"))).toMatch(
    /stopped, and its pages are gone\. Use action=open with a url to begin again\.$/,
  );
  expect(await refusal(perform(theirs, "snapshot"))).toBe("No browser running. Use action=open with a url first.");
});
