import { eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { replicaMessages } from "@/db/schema";
import { unseal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { bootId, newId } from "@/server/platform/ids";
import { listenForSignals } from "@/server/platform/signals/bus";
import { openMailbox, sendToReplica } from "@/server/replicas/mailbox";
import { buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { ClientChannel } from "./client-channel";
import { takeReplies } from "./client-replies";
import type { McpClient } from "./mcp-client";

useTestDatabase();
afterEach(() => {
  vi.useRealTimers();
});

async function asking() {
  const { admin } = await buildWorkspace();
  const client = { actor: admin, isStateless: false, name: "desk 1.0", answers: ["form"], logLevel: null } as unknown as McpClient;
  const channel = new ClientChannel(client);
  const sent = vi.fn();
  const notify = vi.fn();
  channel.connect({ send: sent, notify, progressToken: null });
  const ask = () =>
    channel.entered(() => {}).request({ method: "elicitation/create", params: { message: "Your name?" } }, new AbortController().signal);
  return { client, channel, sent, notify, ask };
}

test("an answer that reaches another replica than the one that asked is passed on to it, and only from the client that was asked", async () => {
  const unlisten = await listenForSignals();
  const close = openMailbox();
  const { client, sent, ask } = await asking();
  const reply = ask();
  const [{ id }] = sent.mock.calls[0] ?? [];

  // This replica as the other one: an answer for a question of elsewhere goes to that replica's mailbox.
  const elsewhere = newId();
  await takeReplies(client, [{ jsonrpc: "2.0", id: `handrail:${elsewhere}:${newId()}`, result: { action: "accept" } }]);
  const [mail] = await db().select().from(replicaMessages).where(eq(replicaMessages.addressee, elsewhere));
  expect(JSON.parse(unseal(mail?.bodySealed ?? ""))).toMatchObject({ actorId: client.actor.id, answer: { result: { action: "accept" } } });

  // This replica as the one that asked: the answer comes by its mailbox.
  const passed = (actorId: string, name: string) =>
    sendToReplica(bootId(), mail?.topic ?? "", { id, actorId, answer: { id, result: { action: "accept", content: { name } } } });
  await passed(newId(), "Mallory");
  await passed(client.actor.id, "Grace");
  expect(await reply).toEqual({ kind: "answered", result: { action: "accept", content: { name: "Grace" } } });
  await close();
  await unlisten();
});

test("a client's question expires after five minutes, is withdrawn from the client, and ends as expired and not as refused", async () => {
  const { channel, sent, notify, ask } = await asking();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const reply = ask();
  expect(sent).toHaveBeenCalledWith({ id: expect.any(String), method: "elicitation/create", params: { message: "Your name?" } });
  vi.advanceTimersByTime(299_999);
  expect(channel.isAsking).toBe(true);
  expect(notify).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(await reply).toEqual({ kind: "expired", seconds: 300 });
  expect(channel.isAsking).toBe(false);
  const [question] = sent.mock.calls[0] ?? [];
  expect(notify).toHaveBeenCalledWith("notifications/cancelled", { requestId: question.id, reason: "Nobody answered in time." });
});
