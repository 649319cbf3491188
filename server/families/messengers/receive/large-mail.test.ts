import { and, asc, eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { auditEvents, messengerInbound } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { giveModel, saying, useRunStage } from "@/server/testing/models/run-stage";
import { startImapServer } from "@/server/testing/platforms/imap-server";
import { startMailReceiver } from "@/server/testing/platforms/mail-receiver";
import { findMessenger } from "../account";
import { listParts } from "../chats";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";
const stage = useRunStage();

test("a mail that is too large is shown as refused, its confirmed sender is told once, and a sender who may be forged is not", async () => {
  const [imap, smtp] = await Promise.all([startImapServer(), startMailReceiver()]);
  onTestFinished(async () => {
    await imap.close();
    await smtp.close();
  });
  await giveModel(stage, [saying("Read it.")]);
  const settings = { address: "bot@handrail.test", imapHost: `127.0.0.1:${imap.port}`, smtpHost: smtp.address };
  const { id } = await connectMessenger(stage, { platform: "email", transport: "connection", settings, secrets: { password: "right" } });
  await expect.poll(async () => (await findMessenger(id))?.state).toBe("connected");
  const body = "x".repeat(36 * 1_048_576);
  const mail = (from: string, result: string, words: string) =>
    `Authentication-Results: mx.handrail.test; dmarc=${result}\nFrom: ${from} <${from}@example.com>\nTo: bot@handrail.test\nSubject: Plans\nMessage-ID: <${from}@example.com>\n\n${words}\n`;
  imap.deliver(mail("ada", "pass", body));
  imap.deliver(mail("forged", "fail", body));
  imap.deliver(mail("bo", "pass", "A short one"));
  await expect
    .poll(() => smtp.mails.map(({ to, text }) => `${to?.[0]?.address} ${text?.trim()}`).sort(), { timeout: 30_000 })
    .toEqual([
      "ada@example.com Your mail has 37 MB and was not read, because only mails up to 35 MB are. Send its files one by one, or a link.",
      "bo@example.com Read it.",
    ]);
  expect(imap.fetchedBytes(), "no body of a large mail is fetched").toBeLessThan(5_000);
  const rows = await db().select().from(messengerInbound).where(eq(messengerInbound.messengerId, id)).orderBy(asc(messengerInbound.id));
  expect(rows.map(({ senderId, status }) => [senderId, status])).toEqual([
    ["ada@example.com", "refused"],
    ["forged@example.com", "refused"],
    ["bo@example.com", "done"],
  ]);
  const { items } = await listParts(authorize(stage.built.admin, "messengers:read"), id, { problems: "true" });
  expect(items.map(({ sender, error }) => [sender, error?.slice(0, 18)])).toEqual([
    ["forged", "Your mail has 37 M"],
    ["ada", "Your mail has 37 M"],
  ]);
  const { id: workspaceId } = stage.built.workspace;
  const audited = and(eq(auditEvents.workspaceId, workspaceId), eq(auditEvents.event, "messenger.message_refused"));
  expect(await db().$count(auditEvents, audited)).toBe(2);
});
