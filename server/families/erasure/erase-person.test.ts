import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  apiKeys,
  artifacts,
  auditEvents,
  auditHolds,
  contacts,
  conversations,
  erasures,
  fileChanges,
  memoryEntries,
  memoryFiles,
  messengerChats,
  messengerInbound,
  todoItems,
  users,
} from "@/db/schema";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { countRows, toStoredWords } from "@/server/retrieval/stored-words";
import { authorize, buildApiKey, buildConversation } from "@/server/testing/builders";
import { connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { calling, giveModel, saying, useRunStage } from "@/server/testing/models/run-stage";
import { placesOfText } from "@/server/testing/places-of-text";
import { startTelegramServer, type TelegramServer, telegramToken } from "@/server/testing/platforms/telegram-server";
import { sealAll, verifiedAudit } from "@/server/testing/seal-all";
import { getErasure, planErasure, startErasure } from "./erasures";
import { personLines } from "./export-person";
import { repeatUndoneErasures } from "./ledger";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";

/** Words that only the person wrote. */
const secret = "quokka-7Q2";
/** The name of the person, which nobody else has. */
const sender = { id: 90417, is_bot: false, first_name: "Wilhelmina", last_name: "Xq" };

const stage = useRunStage();
let telegram: TelegramServer;
beforeEach(async () => {
  telegram = await startTelegramServer();
});
afterEach(() => telegram.close());

const eraser = () => authorize(stage.built.admin, "people:erase");
const reader = () => authorize(stage.built.viewer, "audit:read");

/** A contact who wrote, whose agent asked, called and remembered, with a file, an artifact and a to-do. */
async function contactWhoWrote(): Promise<string> {
  await giveModel(stage, [calling(["change", { text: `for ${secret}` }]), saying(`Done for ${secret}.`)]);
  await connectMessenger(stage, {
    ...{ platform: "telegram", transport: "connection", settings: { apiUrl: telegram.url }, secrets: { token: telegramToken } },
    ...{ streams: false, approvals: "all" },
  });
  telegram.message(`My code is ${secret}`, { from: sender });
  await expect
    .poll(() => [...telegram.messages.values()].some(({ text }) => String(text).includes("Approval needed")), { timeout: 8_000 })
    .toBe(true);
  const [contact] = await db().select().from(contacts).where(eq(contacts.workspaceId, stage.built.workspace.id));
  const [conversation] = await db()
    .select()
    .from(conversations)
    .where(eq(conversations.workspaceId, stage.built.workspace.id))
    .orderBy(desc(conversations.id));
  if (!contact || !conversation) throw new Error("The message began no conversation");
  const { workspaceId, agentId } = conversation;
  const by = { type: "contact" as const, id: contact.id, name: contact.name };
  const { sha256 } = await blobs().put(Buffer.from(`artifact of ${secret}`));
  await db()
    .insert(artifacts)
    .values({ workspaceId, conversationId: conversation.id, name: `${secret}.txt`, mediaType: "text/plain", sha256, bytes: 3 });
  const before = await blobs().put(Buffer.from(`before ${secret}`));
  await db()
    .insert(fileChanges)
    .values({ workspaceId, conversationId: conversation.id, actor: by, folder: "f", path: `${secret}.md`, beforeBlob: before.sha256 });
  await db()
    .insert(todoItems)
    .values({ workspaceId, content: `Call ${secret}`, people: [contact.name], conversationId: conversation.id, createdBy: by });
  const place = { workspaceId, agentId, scope: "PERSONAL" as const, ownerKey: `contact:${contact.id}` };
  await db()
    .insert(memoryEntries)
    .values({ ...place, type: "user", key: secret, content: secret, author: by });
  const words = toStoredWords(`likes ${secret}`, "notes");
  const [file] = await db()
    .insert(memoryFiles)
    .values({ ...place, filename: "MEMORY.md", content: `likes ${secret}`, ...words })
    .returning();
  if (!file) throw new Error("The memory was not stored");
  const columns = { table: memoryFiles, id: memoryFiles.id, words: memoryFiles.words, wordCount: memoryFiles.wordCount };
  await countRows(db(), { workspaceId, set: "memory" }, columns, sql`${memoryFiles.id} = ${file.id}`, 1);
  const folder = workspaceFolder(conversation, { sharedFolder: null });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "notes.txt"), secret);
  return contact.id;
}

async function auditIds(): Promise<string[]> {
  const ofWorkspace = eq(auditEvents.workspaceId, stage.built.workspace.id);
  return (await db().select({ id: auditEvents.id }).from(auditEvents).where(ofWorkspace)).map(({ id }) => id);
}

const done = (id: string) => expect.poll(async () => (await getErasure(eraser(), id)).status, { timeout: 20_000 }).toBe("done");

test("an erased contact stands in no table, file and export any more, and the audit verifies with its counts", async () => {
  const personId = await contactWhoWrote();
  await sealAll(stage.built.workspace.id);
  expect((await placesOfText(reader(), [secret])).length).toBeGreaterThan(10);
  const plan = await planErasure(eraser(), { kind: "contact", personId });
  expect(plan).toMatchObject({
    name: "Wilhelmina Xq",
    refusal: null,
    counts: { conversations: 1, artifacts: 1, "todo items": 1, "memory entries": 1, "memory files": 1, "file changes": 1 },
  });
  const before = await auditIds();
  const { id } = await startErasure(eraser(), { kind: "contact", personId, confirm: plan.name });
  await done(id);

  expect(await placesOfText(reader(), [secret, sender.first_name])).toEqual([]);
  const erasure = await getErasure(eraser(), id);
  expect(erasure.auditEvents).toBeGreaterThanOrEqual(plan.auditEvents);
  expect(await auditIds()).toEqual(expect.arrayContaining(before));
  expect(await verifiedAudit(reader())).toMatchObject({ ok: true, erased: erasure.auditEvents });
  const [event] = await db().select().from(auditEvents).where(eq(auditEvents.event, "approval.requested"));
  expect(event).toMatchObject({
    subject: null,
    data: { erased: { at: expect.any(String), by: { id: stage.built.admin.id }, digest: expect.stringMatching(/^[0-9a-f]{64}$/) } },
  });
  await db().transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = 'replica'`);
    await tx
      .update(auditEvents)
      .set({ actorName: "Eve" })
      .where(eq(auditEvents.id, event?.id ?? ""));
  });
  expect(await verifiedAudit(reader()), "what an erasure left is proven as well").toMatchObject({
    ok: false,
    brokenAt: { kind: "record", sentence: expect.stringContaining("A row that was erased") },
  });
}, 60_000);

test("everything held of a person can be exported before, and the export is recorded", async () => {
  const personId = await contactWhoWrote();
  let lines = "";
  for await (const line of personLines(eraser(), "contact", personId)) lines += line;
  const tables = new Set(
    lines
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { table: string }).table),
  );
  for (const table of [
    "contact",
    "conversations",
    "run messages",
    "tool calls",
    "artifacts",
    "memory files",
    "messenger inbound",
    "audit events",
  ]) {
    expect(tables).toContain(table);
  }
  expect(lines).not.toMatch(/sealed|token_hash/);
  expect(await db().$count(auditEvents, and(eq(auditEvents.event, "person.data_exported"), eq(auditEvents.subject, personId)))).toBe(1);
}, 30_000);

test("a hold, a wrong name and an erasure of oneself are refused, and nothing goes", async () => {
  const { admin, workspace, viewer } = stage.built;
  const refused = (draft: Parameters<typeof startErasure>[1]) => startErasure(eraser(), draft);
  await expect(refused({ kind: "member", personId: viewer.id, confirm: "Somebody" })).rejects.toMatchObject({ code: "invalid" });
  await expect(refused({ kind: "member", personId: admin.id, confirm: admin.name })).rejects.toMatchObject({ code: "conflict" });
  await db().insert(auditHolds).values({ workspaceId: workspace.id, name: "Case 9", kind: "person", subject: viewer.id });
  await expect(refused({ kind: "member", personId: viewer.id, confirm: viewer.name })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("Case 9"),
  });
  expect(await db().$count(erasures, eq(erasures.workspaceId, workspace.id))).toBe(0);
});

test("an erased member loses account, conversations and name; what the member made for the workspace stays", async () => {
  const { viewer, approver, workspace } = stage.built;
  await buildConversation(viewer, { agentId: stage.built.agent.id, metadata: { text: secret } });
  await db()
    .insert(todoItems)
    .values({
      workspaceId: workspace.id,
      content: "Water the plants",
      people: [],
      createdBy: { type: "user", id: viewer.id, name: viewer.name },
    });
  const own = await buildApiKey(workspace.id, { createdBy: { type: "user", id: viewer.id, name: viewer.name } });
  const other = await buildApiKey(workspace.id, { createdBy: { type: "user", id: approver.id, name: approver.name } });
  expect((await planErasure(eraser(), { kind: "member", personId: viewer.id })).counts).toMatchObject({ "api keys that are revoked": 1 });
  const { id } = await startErasure(eraser(), { kind: "member", personId: viewer.id, confirm: viewer.name });
  const [ownKey, otherKey] = await db()
    .select({ id: apiKeys.id, revokedAt: apiKeys.revokedAt })
    .from(apiKeys)
    .where(inArray(apiKeys.id, [own.id, other.id]))
    .orderBy(sql`${apiKeys.id} <> ${own.id}`);
  expect(ownKey?.revokedAt, "a key that the person may know").not.toBeNull();
  expect(otherKey?.revokedAt).toBeNull();
  await done(id);
  expect(await db().$count(conversations, eq(sql`${conversations.createdBy} ->> 'id'`, viewer.id))).toBe(0);
  const [user] = await db().select().from(users).where(eq(users.id, viewer.id));
  expect(user).toMatchObject({ name: "Erased person", email: `${viewer.id}@erased.invalid`, passwordHash: null });
  const [todo] = await db().select().from(todoItems).where(eq(todoItems.workspaceId, workspace.id));
  expect(todo).toMatchObject({ content: "Water the plants", createdBy: { name: "Erased person" } });
  expect((await db().select().from(users).where(eq(users.id, approver.id)))[0]?.name).toBe("The approver");
}, 30_000);

test("other people's chats and messages stay", async () => {
  const personId = await contactWhoWrote();
  const other = { id: 555, is_bot: false, first_name: "Bob", last_name: "B" };
  await giveModel(stage, [saying("Hello Bob.")]);
  telegram.message("Hello from Bob", { from: other, chat: { id: 555, type: "private" } });
  await expect
    .poll(() => [...telegram.messages.values()].some(({ text }) => String(text).includes("Hello Bob")), { timeout: 8_000 })
    .toBe(true);
  const { name } = await planErasure(eraser(), { kind: "contact", personId });
  await done((await startErasure(eraser(), { kind: "contact", personId, confirm: name })).id);
  expect(await db().$count(messengerInbound, eq(messengerInbound.senderName, "Bob B"))).toBe(1);
  expect(await db().$count(messengerChats, eq(messengerChats.chat, "555"))).toBe(1);
}, 40_000);

test("a restored backup from before an erasure gives the person back for a minute only: the erasure is repeated", async () => {
  const { viewer, workspace } = stage.built;
  const kept = await db().select().from(users).where(eq(users.id, viewer.id));
  await done((await startErasure(eraser(), { kind: "member", personId: viewer.id, confirm: viewer.name })).id);
  await repeatUndoneErasures();
  await db().delete(erasures);
  await db().update(users).set({ name: kept[0]?.name, email: kept[0]?.email }).where(eq(users.id, viewer.id));
  await repeatUndoneErasures();
  const [repeated] = await db().select().from(erasures).where(eq(erasures.workspaceId, workspace.id));
  await done(String(repeated?.id));
  expect((await db().select().from(users).where(eq(users.id, viewer.id)))[0]?.name).toBe("Erased person");
}, 30_000);
