import { expect, onTestFinished, test } from "vitest";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { calling, giveModel, saying, useRunStage } from "@/server/testing/models/run-stage";
import { startTelegramServer, telegramToken } from "@/server/testing/platforms/telegram-server";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";
const stage = useRunStage();

test("a reaction in the chat that asked is no question, and a reaction or file for another chat is", async () => {
  const telegram = await startTelegramServer();
  onTestFinished(() => telegram.close());
  await addBuiltinTools(stage.built.workspace.id);
  await giveModel(stage, [
    saying("Hello."),
    calling(["enable_tool", { toolName: "message_react" }]),
    calling(["message_react", { emoji: "👍" }]),
    calling(
      ["message_react", { emoji: "👎", chat_id: "71", message_id: "5" }],
      ["telegram_send_file", { path: "plan.txt", chat_id: "71" }],
    ),
  ]);
  await connectMessenger(stage, {
    ...{ platform: "telegram", transport: "connection", settings: { apiUrl: telegram.url }, secrets: { token: telegramToken } },
    streams: false,
  });
  const eve = { id: 666, is_bot: false, first_name: "Eve" };
  const texts = () => [...telegram.messages.values()].map(({ chat_id, text }) => `${chat_id}: ${text}`).join("\n");
  const reactions = () => telegram.calls.filter(({ method }) => method === "setMessageReaction").map(({ body }) => body.chat_id);
  telegram.message("Hello");
  await expect.poll(texts).toContain("71: Hello.");
  telegram.message("React", { from: eve, chat: { id: eve.id, type: "private" } });
  await expect.poll(texts).toMatch(/666: .*Approval needed.*React to a message/s);
  await expect.poll(texts).toMatch(/666: .*Approval needed.*Send a file on Telegram.*chat\\?_id: 71/s);
  expect(reactions()).toEqual(["666"]);
});
