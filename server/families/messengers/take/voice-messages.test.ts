import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { messengers, modelProviders } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { giveModel, saying, sentTexts, useRunStage } from "@/server/testing/models/run-stage";
import { startPlatformServer } from "@/server/testing/platforms/platform-server";
import { startTelegramServer, telegramToken } from "@/server/testing/platforms/telegram-server";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";
const stage = useRunStage();

test("a voice message is written down by the model for speech, and without one the agent is told that nobody did", async () => {
  const server = await giveModel(stage, [saying("Noted."), saying("I cannot hear it."), saying("It was too quiet.")]);
  const telegram = await startTelegramServer();
  onTestFinished(() => telegram.close());
  let said = "Call the plumber";
  const speech = await startPlatformServer({ "POST /audio/transcriptions": () => ({ text: said }) });
  const providerId = newId();
  const { id: workspaceId } = stage.built.workspace;
  const provider = { id: providerId, workspaceId, name: "Speech", kind: "openai_compatible", baseUrl: speech.url, position: 1 } as const;
  await db()
    .insert(modelProviders)
    .values({ ...provider, keySealed: null, models: [] });
  const messenger = await connectMessenger(stage, {
    ...{ platform: "telegram", transport: "connection", settings: { apiUrl: telegram.url }, secrets: { token: telegramToken } },
    ...{ streams: false, speechModel: { providerId, model: "whisper-1" } },
  });
  telegram.files.set("v1", Buffer.from("OggS\u0000voice"));
  const hear = (text: string) => expect.poll(() => [...telegram.messages.values()].some((one) => one.text === text)).toBe(true);
  const voice = () => telegram.message("", { text: undefined as never, voice: { file_id: "v1", file_size: 10, mime_type: "audio/ogg" } });
  voice();
  await hear("Noted.");
  expect(speech.calls[0]?.body).toMatchObject({ model: "whisper-1", file: { name: "audio.ogg", bytes: 10 } });
  const heard = (at: number) => (server.requests[at] ? sentTexts(server.requests[at]).at(-1) : "");
  expect(heard(0)).toMatch(/^user: \[A voice message: received\/voice\.ogg\. Written down by whisper-1:\]\nCall the plumber/);

  await db().update(messengers).set({ speechModel: null }).where(eq(messengers.id, messenger.id));
  voice();
  await hear("I cannot hear it.");
  expect(heard(1)).toMatch(/It was not written down: no model for speech is set up\.\]/);

  await db().update(messengers).set({ speechModel: messenger.speechModel }).where(eq(messengers.id, messenger.id));
  said = " ";
  voice();
  await hear("It was too quiet.");
  expect(heard(2)).toMatch(/It was not written down: Speech understood nothing in it\.\]/);
});
