import { asc, eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { messengerChats, messengerInbound } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { useRunStage } from "@/server/testing/models/run-stage";
import { startTelegramServer, telegramToken } from "@/server/testing/platforms/telegram-server";
import { findMessenger } from "../account";
import type { InboundEvent } from "../drivers/driver";
import { storeCalled } from "./store-events";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";
const stage = useRunStage();

const event = (key: string, chat: string, text = key): InboundEvent => ({
  ...{ kind: "message", key, place: "group", chat, title: `Chat ${chat}`, messageRef: key, sender: { id: "71", name: "Ada" } },
  ...{ text, isMention: false, files: [] },
});

test("calls that come at the same moment are stored once each, in the order of their chat, and one of a removed messenger fails alone", async () => {
  const telegram = await startTelegramServer();
  onTestFinished(() => telegram.close());
  const account = { settings: { apiUrl: telegram.url }, secrets: { token: telegramToken } };
  const { id } = await connectMessenger(stage, { platform: "telegram", transport: "webhook", ...account });
  const messenger = await findMessenger(id);
  if (!messenger) throw new Error("The messenger was removed");
  const good = Array.from({ length: 40 }, (_, number) => event(`m${String(number).padStart(2, "0")}`, `c${number % 4}`));
  const removed = { messenger: { ...messenger, id: "00000000-0000-7000-8000-000000000000" }, events: [event("removed", "c9")] };
  const outcomes = await Promise.allSettled([
    ...good.map((one) => storeCalled({ messenger, events: [one] })),
    storeCalled(removed),
    ...good.slice(0, 10).map((again) => storeCalled({ messenger, events: [again] })),
  ]);
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(1);
  expect(outcomes[40]?.status).toBe("rejected");
  const rows = await db()
    .select({ key: messengerInbound.key, chat: messengerChats.chat, title: messengerChats.title })
    .from(messengerInbound)
    .innerJoin(messengerChats, eq(messengerChats.id, messengerInbound.chatId))
    .where(eq(messengerInbound.messengerId, id))
    .orderBy(asc(messengerInbound.id));
  expect(rows).toHaveLength(40);
  for (const chat of ["c0", "c1", "c2", "c3"]) {
    const keys = rows.filter((row) => row.chat === chat).map(({ key }) => key);
    expect(keys).toEqual(keys.toSorted());
  }
  expect(new Set(rows.map(({ title }) => title))).toEqual(new Set(["Chat c0", "Chat c1", "Chat c2", "Chat c3"]));
});
