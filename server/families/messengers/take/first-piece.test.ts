import { and, eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { auditEvents } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { giveModel, saying, useRunStage } from "@/server/testing/models/run-stage";
import { startTelegramServer, telegramToken } from "@/server/testing/platforms/telegram-server";
import { listParts } from "../chats";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";
const stage = useRunStage();

/** A streamed answer whose end the model holds back, in a private chat of Telegram. */
async function streamAnswer(text: string) {
  const telegram = await startTelegramServer();
  onTestFinished(() => telegram.close());
  const { promise: rest, resolve: finish } = Promise.withResolvers<void>();
  await giveModel(stage, [{ ...saying(text), holdsUntil: rest }]);
  const { id } = await connectMessenger(stage, {
    ...{ platform: "telegram", transport: "connection", settings: { apiUrl: telegram.url }, secrets: { token: telegramToken } },
    streams: true,
  });
  const attempts = () => telegram.calls.filter(({ method }) => method === "sendMessage").length;
  const shown = () => [...telegram.messages.values()].map((message) => String(message.text));
  const parts = async () =>
    (await listParts(authorize(stage.built.admin, "messengers:read"), id, {})).items
      .filter(({ direction }) => direction === "out")
      .map(({ kind, status, error }) => ({ kind, status, error }));
  return { telegram, finish, attempts, shown, parts };
}

const beginning = "A beginning that is long enough to be shown.";

test("a refused beginning of an answer is said as refused with the reason, and the answer still comes whole", async () => {
  const { telegram, finish, attempts, shown, parts } = await streamAnswer(beginning);
  telegram.answerNext("sendMessage", { body: { ok: false, error_code: 400, description: "Bad Request: message is too strange" } });
  telegram.message("Hello");
  await expect.poll(attempts).toBe(1);
  const refused = { kind: "stream", status: "failed", error: "Telegram: Bad Request: message is too strange" };
  await expect.poll(parts).toEqual([refused]);
  finish();
  await expect.poll(shown).toEqual([beginning]);
  await expect.poll(parts).toEqual([{ kind: "text", status: "sent", error: null }, refused]);
  const { id: workspaceId } = stage.built.workspace;
  const audited = await db()
    .select({ event: auditEvents.event, data: auditEvents.data })
    .from(auditEvents)
    .where(and(eq(auditEvents.workspaceId, workspaceId), eq(auditEvents.event, "messenger.part_failed")));
  expect(audited).toMatchObject([{ data: { kind: "stream", error: refused.error } }]);
});

test("a beginning that the platform puts off is shown later, as the one message of the answer", async () => {
  const { telegram, finish, attempts, shown, parts } = await streamAnswer(beginning);
  telegram.answerNext("sendMessage", {
    status: 429,
    body: { ok: false, error_code: 429, description: "Too Many Requests", parameters: { retry_after: 1 } },
  });
  telegram.message("Hello");
  await expect.poll(attempts, { timeout: 15_000 }).toBe(2);
  finish();
  await expect.poll(parts).toEqual([{ kind: "text", status: "sent", error: null }]);
  expect(shown()).toEqual([beginning]);
});
