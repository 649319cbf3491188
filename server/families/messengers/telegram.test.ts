import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { Messenger } from "@/contracts/messengers/messengers";
import { approvals, auditEvents, contacts, conversations, messengerInbound, messengerOutbound, runs, tools } from "@/db/schema";
import { makeLinkCode } from "@/server/contacts/link-codes";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { callBack, connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { calling, giveModel, saying, sentTexts, useRunStage } from "@/server/testing/models/run-stage";
import { ada, startTelegramServer, type TelegramServer, telegramToken } from "@/server/testing/platforms/telegram-server";
import { onlyApproval, submitCalls } from "@/server/testing/stage";
import { listConversationTools } from "@/server/tools/list-conversation-tools";
import { findMessenger } from "./account";
import type { InboundEvent } from "./drivers/driver";
import { messengers } from "./messengers";
import { storeEvents } from "./receive/store-events";
import { readMessage } from "./tools/message-tools";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";

const stage = useRunStage();
let telegram: TelegramServer;
beforeEach(async () => {
  telegram = await startTelegramServer();
});
afterEach(() => telegram.close());

const connect = (draft: Partial<Parameters<typeof connectMessenger>[1]> = {}) =>
  connectMessenger(stage, {
    platform: "telegram",
    transport: "connection",
    settings: { apiUrl: telegram.url },
    secrets: { token: telegramToken },
    streams: false,
    approvals: "all",
    ...draft,
  });

const shown = (): string[] => [...telegram.messages.values()].map(({ text }) => String(text));
const last = () => [...telegram.messages.values()].at(-1) ?? {};
const until = (text: string | RegExp) =>
  expect.poll(() => shown().some((one) => (typeof text === "string" ? one.includes(text) : text.test(one)))).toBe(true);

async function link(): Promise<void> {
  const { code } = await makeLinkCode(authorize(stage.built.approver, "turns:read"));
  telegram.message(`/link ${code}`);
  await until("Linked with");
}

test("a message in a private chat is answered by the agent, once, and the next one goes on in the conversation", async () => {
  const server = await giveModel(stage, [saying("Hello **Ada**."), saying("Still here.")]);
  await connect();
  telegram.message("Hello?");
  await until("Hello <b>Ada</b>.");
  telegram.message("And now?");
  await until("Still here.");
  expect(server.requests[1] && sentTexts(server.requests[1]).slice(-3)).toEqual([
    "user: Hello?",
    "assistant: Hello **Ada**.",
    "user: And now?",
  ]);
  const [conversation] = await db().select().from(conversations).where(eq(conversations.channel, "telegram:private"));
  expect(conversation).toMatchObject({
    origin: "messenger",
    place: { platform: "telegram", kind: "private", chat: "71" },
    createdBy: { type: "contact", name: "Ada L" },
  });
  telegram.message("/new");
  await until("begins a new conversation");
});

test("a call that asks comes as a card, a linked member approves it by its button, and the card says by whom", async () => {
  await giveModel(stage, [calling(["change", { text: "the world" }]), saying("Changed it.")]);
  await connect();
  telegram.message("Change the world");
  await until("Approval needed");
  const card = last();
  const [[approve]] = (card.reply_markup as { inline_keyboard: { callback_data: string }[][] }).inline_keyboard as [
    [{ callback_data: string }],
  ];
  telegram.click(Number(card.message_id), approve.callback_data);
  await until("Only a linked member may decide");
  await link();
  telegram.click(Number(card.message_id), approve.callback_data);
  await until("Changed it.");
  await expect.poll(() => String(telegram.messages.get(Number(card.message_id))?.text)).toContain("Approved</b> by The approver");
  expect(telegram.messages.get(Number(card.message_id))?.reply_markup).toBeNull();
  const [approval] = await db().select().from(approvals).where(eq(approvals.workspaceId, stage.built.workspace.id));
  expect(approval).toMatchObject({ status: "approved", decidedBy: { type: "user", id: stage.built.approver.id } });
});

test("an approver whose chat is linked gets the card of work that was ordered elsewhere, and it says where it was decided", async () => {
  await connect();
  await link();
  const turn = await submitCalls(stage, [["change", { text: "elsewhere" }]], { wait: 0 });
  await until("Approval needed");
  const card = last();
  const { inline_keyboard } = card.reply_markup as { inline_keyboard: { callback_data: string }[][] };
  telegram.click(Number(card.message_id), inline_keyboard[0]?.[0]?.callback_data ?? "");
  await expect.poll(async () => (await onlyApproval(turn.id)).status).toBe("approved");
  const place = { kind: "messenger", name: expect.stringMatching(/^Telegram · .* · private chat$/) };
  expect((await onlyApproval(turn.id)).decidedFrom).toEqual(place);
  const [audited] = await db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.turnId, turn.id), eq(auditEvents.event, "approval.approved")));
  expect(audited?.data).toMatchObject({ decidedFrom: place });
  await expect.poll(() => String(telegram.messages.get(Number(card.message_id))?.text)).toMatch(/by The approver \(Telegram · /);
  expect(shown().filter((text) => text.includes("Approval needed") || text.includes("Approved")).length).toBe(1);
});

test("a card shows the call to its end, because whoever presses its button approves all of it", async () => {
  await giveModel(stage, [calling(["change", { text: `${"word ".repeat(60)}\nthen the plan` }])]);
  await connect();
  telegram.message("Change it");
  await until("Approval needed");
  expect(String(last().text)).toMatch(/<pre>text: (word ){60}\nthen the plan<\/pre>/);
});

test("an approval is denied by text with its short id; a wrong id is told", async () => {
  await giveModel(stage, [calling(["change", { text: "it" }]), saying("Left it.")]);
  await connect();
  await link();
  telegram.message("Change it");
  await until("Approval needed");
  const id = /\/approve ([0-9a-f]{6})/.exec(String(last().text))?.[1];
  telegram.message("/approve abcdef012345");
  await until("does not match");
  telegram.message(`拒绝 ${id}`);
  await until("Left it.");
  await expect.poll(() => shown().some((text) => text.includes("Denied</b> by"))).toBe(true);
});

test("a redelivered update is answered once, and one with a wrong secret is refused", async () => {
  const server = await giveModel(stage, [saying("Once.")]);
  const messenger: Messenger = await connect({ transport: "webhook" });
  await expect.poll(() => telegram.calls.find(({ method }) => method === "setWebhook")?.body.secret_token).toBeTruthy();
  const secret = String(telegram.calls.find(({ method }) => method === "setWebhook")?.body.secret_token);
  const update = { update_id: 1, message: { message_id: 5, chat: { id: ada.id, type: "private" }, from: ada, text: "Hi" } };
  const headers = { "x-telegram-bot-api-secret-token": secret };
  for (let time = 0; time < 5; time += 1)
    expect((await callBack(messenger.id, { body: JSON.stringify(update), headers })).status).toBe(200);
  await until("Once.");
  const wrong = callBack(messenger.id, { body: JSON.stringify(update), headers: { "x-telegram-bot-api-secret-token": "wrong" } });
  await expect(wrong).rejects.toMatchObject({ code: "unauthenticated" });
  expect(server.requests).toHaveLength(1);
  expect(await db().$count(messengerInbound, eq(messengerInbound.messengerId, messenger.id))).toBe(1);
});

test("messages that come together are answered one after the other, in one conversation", async () => {
  await giveModel(stage, (_request, place) => saying(`Answer ${place + 1}.`));
  const messenger = await connect({ transport: "webhook" });
  await expect.poll(() => telegram.calls.some(({ method }) => method === "setWebhook")).toBe(true);
  const row = await findMessenger(messenger.id);
  const from = (id: number) => ({ id: String(id), name: `Person ${id}` });
  const event = (id: number): InboundEvent => ({
    kind: "message",
    key: `message:${id}`,
    place: "group",
    chat: "-5",
    messageRef: String(id),
    sender: from(id),
    text: `${id}`,
    isMention: true,
    files: [],
  });
  if (row) await storeEvents(row, [1, 2, 3, 4].map(event));
  await until("Answer 4.");
  expect(shown()).toEqual(["Answer 1.", "Answer 2.", "Answer 3.", "Answer 4."]);
  expect(await db().$count(conversations, eq(conversations.workspaceId, stage.built.workspace.id))).toBe(2);
});

test("in a group only a mention is answered, the agent is told who writes, and each message waits for the one before", async () => {
  const server = await giveModel(stage, [saying("First."), saying("Second.")]);
  await connect();
  const group: JsonObject = { chat: { id: -100, type: "supergroup", title: "Team" } };
  telegram.message("nobody is meant", group);
  const mention = { entities: [{ type: "mention", offset: 0, length: 11 }] };
  telegram.message("@helper_bot one", { ...group, ...mention });
  telegram.message("@helper_bot two", { ...group, ...mention, from: { id: 72, first_name: "Bo\u202e\nb" } });
  await until("Second.");
  expect(shown()).toEqual(["First.", "Second."]);
  expect(server.requests[1] && sentTexts(server.requests[1]).at(-1)).toBe("user: [Channel: Telegram / Sender: Bo b / Chat: Team]\ntwo");
});

test("a command is taken although hundreds of messages wait before it", async () => {
  await giveModel(stage, [calling(["change", { text: "the world" }]), saying("Never.")]);
  const { id } = await connect();
  telegram.message("Change the world");
  await until("Approval needed");
  const waiting = Array.from({ length: 250 }, (_, number) => `Message ${number}`);
  await storeEvents(await stored(id), waiting.map(messageOfAda));
  await storeEvents(await stored(id), [messageOfAda("/status")]);
  await until("Waiting for a decision: 1");
  const open = and(eq(messengerInbound.messengerId, id), eq(messengerInbound.status, "pending"));
  expect(await db().$count(messengerInbound, open)).toBe(250);
});

const messageOfAda = (text: string): InboundEvent => ({
  ...{
    kind: "message",
    key: `key ${text}`,
    place: "private",
    chat: String(ada.id),
    messageRef: null,
    sender: { id: String(ada.id), name: "Ada L" },
  },
  ...{ text, isMention: false, files: [] },
});

async function stored(id: string) {
  const row = await findMessenger(id);
  if (!row) throw new Error("The messenger was removed");
  return row;
}

test("a part of unknown fate is not repeated, and one after a pause is sent", async () => {
  await giveModel(stage, [saying("Lost?"), saying("Later.")]);
  const messenger = await connect();
  telegram.answerNext("sendMessage", { status: 502, body: "<html>Bad gateway</html>" });
  telegram.message("One");
  const statuses = async () =>
    (await db().select().from(messengerOutbound).where(eq(messengerOutbound.messengerId, messenger.id)).orderBy(messengerOutbound.id)).map(
      ({ status }) => status,
    );
  await expect.poll(statuses).toEqual(["unknown"]);
  telegram.answerNext("sendMessage", {
    status: 429,
    body: { ok: false, error_code: 429, description: "Too Many", parameters: { retry_after: 1 } },
  });
  telegram.message("Two");
  await until("Later.");
  expect(shown()).toEqual(["Later."]);
  await expect.poll(statuses).toEqual(["unknown", "sent"]);
});

test("who is not admitted is told once, and no run starts", async () => {
  await giveModel(stage, [saying("Never.")]);
  const messenger = await connect({ writers: "contacts" });
  telegram.message("Hi");
  telegram.message("Hi again");
  await until("not admitted");
  await expect
    .poll(() => db().$count(messengerInbound, and(eq(messengerInbound.messengerId, messenger.id), eq(messengerInbound.status, "refused"))))
    .toBe(2);
  expect(shown()).toHaveLength(1);
  expect(await db().$count(runs, eq(runs.workspaceId, stage.built.workspace.id))).toBe(0);
  expect(await db().select().from(contacts).where(eq(contacts.workspaceId, stage.built.workspace.id))).toMatchObject([
    { status: "inactive" },
  ]);
});

test("a file belongs to the text that follows, and both reach the agent", async () => {
  const server = await giveModel(stage, [saying("Read it.")]);
  await connect();
  telegram.files.set("f1", Buffer.from("hello"));
  telegram.message("", { text: undefined as never, document: { file_id: "f1", file_name: "../../no tes.txt", file_size: 5 } });
  await until("Write what to do with it");
  telegram.message("Read the file");
  await until("Read it.");
  const texts = server.requests[0] ? sentTexts(server.requests[0]).join("\n") : "";
  expect(texts).toContain("Read the file");
  expect(texts).toMatch(/received\/[^/]*no.?tes\.txt \(text\/plain/);
});

test("tools come with the account and go with it; a file of the folder is sent, and contacts_send is not shown in groups", async () => {
  const server = await giveModel(stage, [
    calling(["channel_send_file", { path: "received/report.txt", caption: "Here" }]),
    saying("Sent."),
    saying("Hello group."),
  ]);
  const messenger = await connect();
  const names = async () =>
    (
      await db()
        .select()
        .from(tools)
        .where(and(eq(tools.workspaceId, stage.built.workspace.id), eq(tools.source, "channel")))
    )
      .map(({ name }) => name)
      .sort();
  expect(await names()).toEqual([
    ...["channel_send_file", "contacts_send", "list_channel_sessions", "message_react", "send_channel_message"],
    ...["telegram_send_file", "telegram_send_photo", "telegram_send_voice"],
  ]);
  telegram.files.set("r1", Buffer.from("All good"));
  telegram.message("", { text: "", caption: "Send it back", document: { file_id: "r1", file_name: "report.txt", file_size: 8 } });
  await until("Sent.");
  await expect
    .poll(() => telegram.calls.find(({ method }) => method === "sendDocument")?.body)
    .toMatchObject({
      chat_id: "71",
      caption: "Here",
      document: { name: "report.txt", bytes: 8 },
    });
  telegram.message("@helper_bot hi", {
    chat: { id: -100, type: "supergroup", title: "Team" },
    entities: [{ type: "mention", offset: 0, length: 11 }],
  });
  await until("Hello group.");
  const [privately, group] = [server.requests[0], server.requests.at(-1)].map((request) => JSON.stringify(request?.body ?? {}));
  expect(privately).toContain("contacts_send");
  expect(group).not.toContain("contacts_send");
  expect(privately).toContain("telegram_send_file");
  expect(group).toContain("telegram_send_file");
  const here = await listConversationTools(authorize(stage.built.admin, "tools:read"), stage.conversationId, "handrail");
  expect(JSON.stringify(here)).not.toMatch(/telegram_|message_react|channel_send_file/);
  expect(JSON.stringify(here)).toContain("send_channel_message");
  await messengers.remove({ actor: authorize(stage.built.admin, "messengers:write"), params: { id: messenger.id }, version: null });
  expect(await names()).toEqual([]);
});

test.each([
  [{}, "missing required param: contact_id"],
  [{ contact_id: "a", chat_id: 7 }, "chat_id must be a string"],
  [{ contact_id: "a", content_type: "text/plain" }, "content_type must be application/json envelope"],
  [{ contact_id: "a", session_id: "a" }, "session_id must be uuid_v7"],
  [{ contact_id: "a", message_base64: "%" }, "message_base64 decode failed: it is no base64"],
  [{ contact_id: "a", message_base64: Buffer.from("[]").toString("base64") }, "message_base64 must be envelope json"],
  [
    { contact_id: "a", message_base64: Buffer.from('{"message_id":"1","sent_at":"x"}').toString("base64") },
    "message envelope missing text",
  ],
  [
    { contact_id: "a", message_base64: Buffer.from('{"message_id":"1","text":"t","sent_at":"x"}').toString("base64") },
    "message envelope sent_at must be RFC3339",
  ],
  [{ contact_id: "a" }, "message_text or message_base64 is required"],
])("contacts_send refuses %j", (args, error) => {
  expect(readMessage(args)).toEqual({ error });
});
