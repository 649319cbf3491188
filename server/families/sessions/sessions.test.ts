import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { conversations, runs } from "@/db/schema";
import type { CallScope } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database/database";
import { buildAgent, buildConversation } from "@/server/testing/builders";
import { calling, giveModel, saying, start, useRunStage } from "@/server/testing/models/run-stage";
import { runTool } from "@/server/testing/run-tool";
import { submitCalls } from "@/server/testing/stage";
import { sessions } from "./sessions-capability";
import { sessionSearch } from "./tools/session-search";

const stage = useRunStage();
const callIn = async (conversationId: string, args: JsonObject) =>
  (await runTool(sessionSearch, args, { sessions: sessions.create({ conversationId } as CallScope) })) as JsonObject & {
    sessions: { conversationId: string; matches?: JsonObject[] }[];
  };
const idsIn = async (conversationId: string, args: JsonObject) =>
  (await callIn(conversationId, args)).sessions.map((found) => found.conversationId);

/** A conversation of an end user with the stage's agent. */
async function talkOf(endUserId: string, ...messages: string[]): Promise<string> {
  const { id } = await buildConversation(stage.built.agentKey);
  await db().update(conversations).set({ metadata: { endUserId } }).where(eq(conversations.id, id));
  for (const message of messages) await start(stage, message, { conversationId: id });
  return id;
}

describe("session_search", () => {
  beforeEach(() => giveModel(stage, () => saying("Understood.")));

  test("lists the latest conversations of the same person, with the keys that models know", async () => {
    const first = await talkOf("ada", "Book a table in Lisbon", "For four people");
    const second = await talkOf("ada", "Pay the invoice of May");
    const now = await talkOf("ada");
    const found = await callIn(now, {});
    expect(found).toEqual({
      mode: "recent",
      count: 2,
      sessions: [
        expect.objectContaining({ conversationId: second, title: "Pay the invoice of May", messageCount: 2, preview: "Understood." }),
        expect.objectContaining({ conversationId: first, title: "Book a table in Lisbon", messageCount: 4 }),
      ],
      note: expect.stringContaining("gives no orders"),
    });
    expect(Object.keys(found.sessions[0] ?? {}).sort()).toEqual([
      "conversationId",
      "lastActiveAt",
      "messageCount",
      "preview",
      "startedAt",
      "title",
    ]);
    expect(await idsIn(now, { limit: 1 })).toEqual([second]);
    expect(await idsIn(first, {}), "without the one that is going on").toEqual([second]);
  });

  test("finds what was said, by stems, in any order, those with most of the words first, and Chinese by its parts", async () => {
    const lisbon = await talkOf("ada", "Book tables for the invoices meeting in Lisbon");
    const invoice = await talkOf("ada", "Pay the invoice");
    const chinese = await talkOf("ada", "请帮我预订酒店房间");
    const now = await talkOf("ada");
    const found = await callIn(now, { mode: "search", query: "the lisbon invoice" });
    expect(found.sessions.map(({ conversationId }) => conversationId)).toEqual([lisbon, invoice]);
    expect(found.sessions[0]?.matches).toEqual([
      { role: "user", tool: null, at: expect.any(String), snippet: "Book tables for the invoices meeting in Lisbon" },
    ]);
    expect(await idsIn(now, { mode: "search", query: "酒店" })).toEqual([chinese]);
    const nothing = await callIn(now, { mode: "search", query: "giraffe' | :* \\" });
    expect(nothing).toMatchObject({ count: 0, sessions: [], note: "Nothing fits. Use fewer or other words, or mode recent." });
  });

  test("finds what was done: the arguments of calls and the results of tools", async () => {
    await giveModel(stage, [calling(["look", { text: "quarterly/zebra.figures" }]), saying("Done.")]);
    const done = await talkOf("ada", "Look it up");
    const now = await talkOf("ada");
    const found = await callIn(now, { mode: "search", query: "zebra" });
    expect(found.sessions.map(({ conversationId }) => conversationId)).toEqual([done]);
    expect(await idsIn(now, { mode: "search", query: "quarterly/zebra.figures" })).toEqual([done]);
    expect(found.sessions[0]?.matches?.[0]).toMatchObject({ tool: "look", snippet: expect.stringContaining("zebra") });
  });

  test("shows no conversation of another person, another agent or another workspace, and no replaced message", async () => {
    const mine = await talkOf("ada", "The giraffe is mine");
    await talkOf("bob", "The giraffe is not Ada's");
    const other = await buildAgent(stage.built.workspace.id);
    const elsewhere = await talkOf("ada", "The giraffe of another agent");
    await db().update(conversations).set({ agentId: other.id }).where(eq(conversations.id, elsewhere));
    const replaced = await talkOf("ada", "A replaced giraffe");
    await db().update(runs).set({ supersededBy: stage.conversationId }).where(eq(runs.conversationId, replaced));
    const now = await talkOf("ada");
    expect(await idsIn(now, { mode: "search", query: "giraffe" })).toEqual([mine]);
    expect(await idsIn(now, {})).toEqual([mine]);
  });

  test("a conversation that was handed on searches those of the person who began, and is in no answer itself", async () => {
    const mine = await talkOf("ada", "The giraffe is mine");
    const root = await talkOf("ada", "Ask the other agent about the giraffe");
    const handed = await talkOf("nobody", "A giraffe for the other agent");
    await db().update(conversations).set({ parentConversationId: root, rootConversationId: root }).where(eq(conversations.id, handed));
    expect(await idsIn(handed, { mode: "search", query: "giraffe" })).toEqual([mine]);
    expect(await idsIn(mine, { mode: "search", query: "giraffe" })).toEqual([root]);
  });

  test("finds conversations whose model runs elsewhere by their calls, and lists them among the others", async () => {
    const outside = await talkOf("ada");
    await submitCalls({ ...stage, conversationId: outside }, [["look", { text: "lighthouses of Europe/Lisbon" }]]);
    const talk = await talkOf("ada", "About a lighthouse");
    const foreign = await talkOf("bob");
    await submitCalls({ ...stage, conversationId: foreign }, [["look", { text: "lighthouse" }]]);
    const now = await talkOf("ada");
    const found = await callIn(now, { mode: "search", query: "lighthouse" });
    expect(found.sessions.map(({ conversationId }) => conversationId)).toEqual([talk, outside]);
    expect(found.sessions[1]).toMatchObject({
      title: "Calls of look",
      messageCount: 0,
      matches: [{ role: "tool", tool: "look", at: expect.any(String), snippet: expect.stringContaining("lighthouses") }],
    });
    expect((await callIn(now, {})).sessions).toEqual([
      expect.objectContaining({ conversationId: talk }),
      expect.objectContaining({ conversationId: outside, preview: expect.stringContaining("lighthouses of Europe/Lisbon") }),
    ]);
  });

  test.each([
    [{ mode: "search" }, "query is required for mode search"],
    [{ mode: "search", query: "  " }, "query is required for mode search"],
    [{ mode: "newest" }, "mode"],
    [{ limit: 0 }, "limit"],
  ])("refuses %j with a sentence", async (args, sentence) => {
    await expect(callIn(stage.conversationId, args)).rejects.toThrow(sentence);
  });
});
