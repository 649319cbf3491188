import { expect, onTestFinished, test } from "vitest";
import { db } from "@/server/platform/database/database";
import { connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { useRunStage } from "@/server/testing/models/run-stage";
import { startTelegramServer, telegramToken } from "@/server/testing/platforms/telegram-server";
import { knowSender } from "./know-sender";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";
const stage = useRunStage();

test("a person whose name could not be looked up keeps the name that is known, and a new one is known by the address", async () => {
  const telegram = await startTelegramServer();
  onTestFinished(() => telegram.close());
  const account = { settings: { apiUrl: telegram.url }, secrets: { token: telegramToken } };
  const { id: messengerId } = await connectMessenger(stage, { platform: "telegram", transport: "connection", ...account });
  const know = async (name: string, address = "U71") => {
    const sender = { workspaceId: stage.built.workspace.id, messengerId, address, name, chat: null };
    const { contact, name: there } = await knowSender(db(), sender, { isAdmitted: true });
    return [contact.name, there];
  };
  expect(await know("")).toEqual(["U71", "U71"]);
  expect(await know("Mei")).toEqual(["U71", "Mei"]);
  expect(await know("")).toEqual(["U71", "Mei"]);
});
