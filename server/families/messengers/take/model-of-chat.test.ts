import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { modelProviders } from "@/db/schema";
import { makeLinkCode } from "@/server/contacts/link-codes";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { giveModel, saying, useRunStage } from "@/server/testing/models/run-stage";
import { startTelegramServer, telegramToken } from "@/server/testing/platforms/telegram-server";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";
const stage = useRunStage();
const testModel = (name: string) => ({ name, inputPrice: null, cachedInputPrice: null, outputPrice: null });

test("a linked member who may run agents chooses a model for the conversation, and nobody else does", async () => {
  const telegram = await startTelegramServer();
  onTestFinished(() => telegram.close());
  const until = (text: string) =>
    expect.poll(() => [...telegram.messages.values()].map((message) => String(message.text)).join("\n")).toContain(text);
  const server = await giveModel(stage, (_request, place) => saying(`Answer ${place + 1}.`));
  await db()
    .update(modelProviders)
    .set({ models: [testModel("test-model"), testModel("large-model")] })
    .where(eq(modelProviders.workspaceId, stage.built.workspace.id));
  const account = { settings: { apiUrl: telegram.url }, secrets: { token: telegramToken }, streams: false };
  await connectMessenger(stage, { platform: "telegram", transport: "connection", ...account });
  const modelOf = (place: number) => server.requests[place]?.body.model;
  telegram.message("Hello");
  await until("Answer 1.");
  telegram.message("/model large-model");
  await until("Only a linked member who may run agents chooses");
  const { code } = await makeLinkCode(authorize(stage.built.admin, "turns:read"));
  telegram.message(`/link ${code}`);
  await until("Linked with");
  telegram.message("/model huge-model");
  await until("No provider here has a model of that name");
  telegram.message("/model");
  await until("test-model, large-model");
  telegram.message("/model large-model");
  await until("uses large-model from the next message on");
  telegram.message("And now?");
  await until("Answer 2.");
  telegram.message("/model default");
  await until("own model again");
  telegram.message("And then?");
  await until("Answer 3.");
  expect([modelOf(0), modelOf(1), modelOf(2)]).toEqual(["test-model", "large-model", "test-model"]);
});
