import { and, eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { conversations, messengerChats, messengerOutbound } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { giveModel, saying, sentTexts, useRunStage } from "@/server/testing/models/run-stage";
import { ada, startTelegramServer, telegramToken } from "@/server/testing/platforms/telegram-server";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";
const stage = useRunStage();

const [group, supergroup] = [-5, -1_000_005];
const before: JsonObject = { id: group, type: "group", title: "Team" };
const after: JsonObject = { id: supergroup, type: "supergroup", title: "Team" };

/** A group of Telegram in which the agent has answered once. */
async function meet() {
  const telegram = await startTelegramServer();
  onTestFinished(() => telegram.close());
  const model = await giveModel(stage, (_request, place) => saying(`Answer ${place + 1}.`));
  const { id } = await connectMessenger(stage, {
    ...{ platform: "telegram", transport: "connection", settings: { apiUrl: telegram.url }, secrets: { token: telegramToken } },
    streams: false,
  });
  const mention = (text: string, chat: JsonObject) =>
    telegram.message(`@helper_bot ${text}`, { chat, entities: [{ type: "mention", offset: 0, length: 11 }] });
  const shown = () => [...telegram.messages.values()].map(({ chat_id: chat, text }) => [Number(chat), text]);
  const upgraded = (chat: JsonObject, members: JsonObject) => telegram.update({ message: { message_id: 7, chat, from: ada, ...members } });
  const chats = async () => (await db().select().from(messengerChats).where(eq(messengerChats.messengerId, id))).map(({ chat }) => chat);
  const ofStage = and(eq(conversations.workspaceId, stage.built.workspace.id), eq(conversations.origin, "messenger"));
  const places = async () => (await db().select().from(conversations).where(ofStage)).map(({ place }) => place?.chat);
  mention("one", before);
  await expect.poll(shown).toEqual([[group, "Answer 1."]]);
  return { id, telegram, model, mention, shown, upgraded, chats, places };
}

test("a group that becomes a supergroup keeps its conversation, and answers go to its new id", async () => {
  const { model, mention, shown, upgraded, chats, places } = await meet();
  upgraded(before, { migrate_to_chat_id: supergroup });
  upgraded(after, { migrate_from_chat_id: group });
  mention("two", after);
  await expect.poll(shown).toEqual([
    [group, "Answer 1."],
    [supergroup, "Answer 2."],
  ]);
  expect(model.requests[1] ? sentTexts(model.requests[1]).join("\n") : "").toContain("assistant: Answer 1.");
  expect([await chats(), await places()]).toEqual([[String(supergroup)], [String(supergroup)]]);
});

test("a message that comes together with the news of the new id belongs to the conversation of the group", async () => {
  const { model, mention, shown, upgraded, chats } = await meet();
  mention("two", before);
  upgraded(before, { migrate_to_chat_id: supergroup });
  await expect.poll(() => shown().at(-1)).toEqual([supergroup, "Answer 2."]);
  expect(model.requests[1] ? sentTexts(model.requests[1]).join("\n") : "").toContain("assistant: Answer 1.");
  expect(await chats()).toEqual([String(supergroup)]);
});

test("a message that comes before the news of the new id joins the group's row, and the conversation goes on", async () => {
  const { model, mention, shown, upgraded, chats } = await meet();
  mention("two", after);
  await expect.poll(shown).toHaveLength(2);
  upgraded(after, { migrate_from_chat_id: group });
  await expect.poll(chats).toEqual([String(supergroup)]);
  mention("three", after);
  await expect.poll(() => shown().at(-1)).toEqual([supergroup, "Answer 3."]);
  expect(model.requests[2] ? sentTexts(model.requests[2]).join("\n") : "").toContain("assistant: Answer 1.");
});

test("an answer that Telegram refuses with the new id of the group goes there", async () => {
  const { id, telegram, mention, shown, chats, places } = await meet();
  telegram.answerNext("sendMessage", {
    status: 400,
    body: {
      ...{ ok: false, error_code: 400, description: "Bad Request: group chat was upgraded to a supergroup chat" },
      parameters: { migrate_to_chat_id: supergroup },
    },
  });
  mention("two", before);
  await expect.poll(() => shown().at(-1)).toEqual([supergroup, "Answer 2."]);
  expect([await chats(), await places()]).toEqual([[String(supergroup)], [String(supergroup)]]);
  const statuses = async () =>
    (await db().select().from(messengerOutbound).where(eq(messengerOutbound.messengerId, id))).map(({ status }) => status);
  await expect.poll(statuses).toEqual(["sent", "sent"]);
});
