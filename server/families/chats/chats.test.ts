import { readFile } from "node:fs/promises";
import path from "node:path";
import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { ChatPatch, maxFileBytes } from "@/contracts/runs/chats";
import { artifacts, auditEvents, conversations } from "@/db/schema";
import { listAuditEvents } from "@/server/audit-log/list-audit-events";
import { titleOf } from "@/server/conversations/conversation-title";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { authorize, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { calling, giveModel, saying, sentTexts, start, useRunStage } from "@/server/testing/models/run-stage";
import { submitCalls } from "@/server/testing/stage";
import { addFile } from "./add-file";
import { exportChat } from "./export-chat";
import { listChatRuns } from "./list-chat-runs";
import { getChat, listChats } from "./list-chats";
import { renameChat } from "./rename-chat";

const stage = useRunStage();
const reader = () => authorize(stage.built.viewer, "turns:read");
const writer = () => authorize(stage.built.admin, "turns:write");
const sent = (text: string, bytes = Buffer.from(text)) => ({ name: "notes.txt", bytes });
const pixel = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

beforeEach(async () => {
  const { id } = await buildConversation(stage.built.admin, { agentId: stage.built.agent.id });
  stage.conversationId = id;
});

test("a chat is named after its first message, can be renamed, and gets its first words back", async () => {
  await giveModel(stage, [saying("Hello.")]);
  const { conversationId } = await start(stage, "# Count the invoices\nof May");
  expect(await getChat(reader(), conversationId)).toMatchObject({
    title: "Count the invoices",
    isTitleChosen: false,
    lastRun: { status: "succeeded" },
  });
  const renamed = await renameChat(writer(), conversationId, ChatPatch.parse({ title: " Invoices " }));
  expect(renamed).toMatchObject({ title: "Invoices", isTitleChosen: true });
  expect(await renameChat(writer(), conversationId, { title: null })).toMatchObject({ title: "Count the invoices", isTitleChosen: false });
  const events = await db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.subject, conversationId), eq(auditEvents.event, "conversation.renamed")));
  expect(events.map(({ data }) => data)).toEqual([{ title: "Invoices" }, { title: null }]);
  const { items } = await listAuditEvents(authorize(stage.built.viewer, "audit:read"), {});
  const named = (noun: string) => new Set(items.filter(({ event }) => event.startsWith(`${noun}.`)).map(({ subjectName }) => subjectName));
  expect([named("run"), named("conversation")], "as in the audit").toEqual([
    new Set(["Count the invoices"]),
    new Set(["Count the invoices"]),
  ]);
});

test.each([
  ["", "Untitled"],
  ["\n\n  - first point", "first point"],
  [`${"word ".repeat(40)}`, `${"word ".repeat(15)}word…`],
  ["x".repeat(200), `${"x".repeat(80)}…`],
  [`x${"😀".repeat(100)}`, `x${"😀".repeat(39)}…`],
])("the title of the message %j is %j", (message, title) => {
  expect(titleOf(message)).toBe(title);
});

test("chats are listed by their last message and found by words in a title or a message, with the place", async () => {
  await giveModel(stage, [saying("The zebra is striped."), saying("Second."), saying("Third.")]);
  const first = await start(stage, "About animals");
  const other = await buildConversation(stage.built.admin, { agentId: stage.built.agent.id });
  await start(stage, "About 100% of plants", { conversationId: other.id });
  const ids = async (query?: string) => (await listChats(reader(), { ...(query ? { query } : {}) })).items.map(({ id }) => id);
  expect((await ids()).slice(0, 2)).toEqual([other.id, first.conversationId]);
  const { items: found } = await listChats(reader(), { query: "ZEBRA" });
  expect(found).toMatchObject([{ id: first.conversationId, excerpt: "The zebra is striped." }]);
  expect(await ids("100%"), "a percent sign is no pattern").toEqual([other.id]);
  await renameChat(writer(), other.id, { title: "Herbarium" });
  expect(await ids("herbar")).toEqual([other.id]);
  await start(stage, "Again", { conversationId: first.conversationId });
  expect((await ids())[0]).toBe(first.conversationId);
  const page = await listChats(reader(), { limit: 1 });
  const rest = await listChats(reader(), { limit: 1, cursor: page.nextCursor ?? "" });
  expect([page, rest].flatMap(({ items }) => items.map(({ id }) => id))).toEqual([first.conversationId, other.id]);
});

test("chats are found by what was done, and the place says whether it is a message, a call or a result", async () => {
  await giveModel(stage, [
    calling(["look", { text: "quarterly ostriches of Europe/Lisbon in report.pdf" }]),
    saying("Done."),
    saying("A heron."),
  ]);
  const done = await start(stage, "Look it up");
  const other = await buildConversation(stage.built.admin, { agentId: stage.built.agent.id });
  const said = await start(stage, "Which bird?", { conversationId: other.id });
  const found = async (query: string) => (await listChats(reader(), { query })).items;
  expect(await found("ostrich quarterly")).toMatchObject([
    {
      id: done.conversationId,
      excerpt: '{"text":"quarterly ostriches of Europe/Lisbon in report.pdf"}',
      excerptOf: { runId: done.id, kind: "call", tool: "look" },
    },
  ]);
  for (const part of ["lisbon", "report.pdf", "pdf"])
    expect(
      (await found(part)).map(({ id }) => id),
      part,
    ).toEqual([done.conversationId]);
  expect(await found("/"), "a separator is no word").toEqual([]);
  expect(await found("heron")).toMatchObject([{ excerptOf: { runId: said.id, kind: "assistant", tool: null } }]);
  await renameChat(writer(), other.id, { title: "Lagoon" });
  expect(await found("lago")).toMatchObject([{ id: other.id, excerpt: null, excerptOf: null }]);
});

test("what was said is found by its stems, in any order, by beginnings of words, and Chinese by its parts", async () => {
  await giveModel(stage, [saying("Understood."), saying("好的"), saying("Yes.")]);
  const said = await start(stage, "Book tables for the invoices meeting");
  const chinese = await buildConversation(stage.built.admin, { agentId: stage.built.agent.id });
  await start(stage, "请帮我预订酒店房间", { conversationId: chinese.id });
  const found = async (query: string) => (await listChats(reader(), { query })).items;
  expect(await found("meeting invoice")).toMatchObject([
    { id: said.conversationId, excerpt: expect.stringContaining("invoices meeting"), excerptOf: { kind: "user", tool: null } },
  ]);
  expect((await found("invo")).map(({ id }) => id)).toEqual([said.conversationId]);
  expect((await found("酒店")).map(({ id }) => id)).toEqual([chinese.id]);
  expect(await found("invoice giraffe")).toEqual([]);
});

test("a search also finds conversations whose model runs elsewhere, by their calls, page by page with the others", async () => {
  await giveModel(stage, [saying("Understood.")]);
  const { id: outside } = await buildConversation(stage.built.agentKey);
  const turn = await submitCalls({ ...stage, conversationId: outside }, [["look", { text: "lighthouses of Lisbon" }]]);
  expect(turn.calls[0]?.status).toBe("succeeded");
  const talk = await start(stage, "About a lighthouse");
  const { items } = await listChats(reader(), { query: "lighthouse" });
  expect(items).toMatchObject([
    { id: talk.conversationId, lastRun: { status: "succeeded" } },
    {
      ...{ id: outside, title: "Calls of look", isTitleChosen: false, lastRun: null },
      excerpt: expect.stringContaining("lighthouses of Lisbon"),
      excerptOf: { runId: null, kind: "call", tool: "look" },
    },
  ]);
  const first = await listChats(reader(), { query: "lighthouse", limit: 1 });
  const rest = await listChats(reader(), { query: "lighthouse", limit: 1, cursor: first.nextCursor ?? "" });
  expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual([talk.conversationId, outside]);
  expect(rest.nextCursor).toBeNull();
  const { admin } = await buildWorkspace();
  expect((await listChats(authorize(admin, "turns:read"), { query: "lighthouse" })).items).toEqual([]);
  expect(
    (await listChats(reader(), {})).items.map(({ id }) => id),
    "only a search has it",
  ).toEqual([talk.conversationId]);
});

test("a chat is exported as Markdown and JSON with its calls and results, without replaced messages, and the audit says so", async () => {
  await giveModel(stage, [saying("Old."), calling(["look", { text: "a ``` fence" }]), saying("New.")]);
  const first = await start(stage, "First");
  const second = await start(stage, "First, edited", { replaces: first.id });
  const textOf = async (format: "markdown" | "json") => new Response(await exportChat(reader(), stage.conversationId, format)).text();
  const markdown = await textOf("markdown");
  expect(markdown).toContain("# First, edited\n");
  expect(markdown).toContain('### Call of look\n\n````json\n{"text":"a ``` fence"}\n````\n');
  expect(markdown.indexOf("### Result of look")).toBeLessThan(markdown.indexOf("New."));
  expect(markdown).not.toContain("Old.");
  const json = JSON.parse(await textOf("json"));
  expect(json.chat).toMatchObject({ id: stage.conversationId, title: "First, edited" });
  expect(json.runs).toMatchObject([{ run: { id: second.id }, messages: [{ role: "user" }, {}, { role: "tool" }, { text: "New." }] }]);
  const events = await db().select().from(auditEvents).where(eq(auditEvents.event, "conversation.exported"));
  const exports = events.filter(({ subject }) => subject === stage.conversationId).map(({ data }) => data);
  expect(exports).toHaveLength(2);
  expect(exports).toEqual(expect.arrayContaining([{ format: "markdown" }, { format: "json" }]));
});

test("nobody of another workspace sees, names or fills a chat", async () => {
  await giveModel(stage, [saying("Hello.")]);
  const { conversationId } = await start(stage, "Ours");
  const { admin } = await buildWorkspace();
  const stranger = authorize(admin, "turns:write");
  const strangeReader = authorize(admin, "turns:read");
  expect((await listChats(strangeReader, {})).items).toEqual([]);
  for (const refused of [
    getChat(strangeReader, conversationId),
    listChatRuns(strangeReader, conversationId, {}),
    exportChat(strangeReader, conversationId, "json"),
    renameChat(stranger, conversationId, { title: "Theirs" }),
    addFile(stranger, conversationId, sent("theirs")),
  ]) {
    await expect(refused).rejects.toMatchObject({ code: "not_found" });
  }
  await expect(getChat(reader(), stage.conversationId)).resolves.toMatchObject({ title: "Ours" });
});

test("an edited message replaces its run and the later ones: the model forgets them, and people can still read them", async () => {
  const server = await giveModel(stage, [saying("One."), saying("Two."), saying("Three."), saying("New two.")]);
  const first = await start(stage, "First");
  const second = await start(stage, "Second");
  const third = await start(stage, "Third");
  const edited = await start(stage, "Second, edited", { replaces: second.id });
  expect(edited).toMatchObject({ status: "succeeded", answer: "New two.", supersededBy: null });
  const texts = server.requests[3] ? sentTexts(server.requests[3]).filter((text) => !text.startsWith("system: ")) : [];
  expect(texts).toEqual(["user: First", "assistant: One.", "user: Second, edited"]);
  const shown = await listChatRuns(reader(), stage.conversationId, {});
  expect(shown.items.map(({ run }) => run.id)).toEqual([edited.id, first.id]);
  expect(shown.items[0]?.messages.map(({ text }) => text)).toEqual(["Second, edited", "New two."]);
  const all = await listChatRuns(reader(), stage.conversationId, { superseded: true });
  expect(all.items.map(({ run }) => [run.id, run.supersededBy])).toEqual([
    [edited.id, null],
    [third.id, edited.id],
    [second.id, edited.id],
    [first.id, null],
  ]);
  const [event] = await db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.event, "run.superseded"), eq(auditEvents.subject, second.id)));
  expect(event?.data).toEqual({ by: edited.id, runs: [second.id, third.id].toSorted() });
});

test("a message that is sent again unchanged keeps its secrets, which people see masked", async () => {
  const secret = "sk-proj-AbCdEf0123456789AbCdEf0123456789";
  const server = await giveModel(stage, [saying("One."), saying("Two.")]);
  const first = await start(stage, `My key is ${secret}`);
  const [shown] = (await listChatRuns(reader(), stage.conversationId, {})).items;
  const text = shown?.messages[0]?.text ?? "";
  expect(text).not.toContain(secret);
  await start(stage, text, { replaces: first.id });
  expect(server.requests[1] && sentTexts(server.requests[1]).at(-1)).toBe(`user: My key is ${secret}`);
});

test("a message replaces only a run of its own conversation that was not replaced before, and only an ended one", async () => {
  await giveModel(stage, [saying("One."), saying("Two."), calling(["change", { text: "it" }]), saying("Three.")]);
  const first = await start(stage, "First");
  await start(stage, "First again", { replaces: first.id });
  await expect(start(stage, "Once more", { replaces: first.id })).rejects.toMatchObject({
    code: "invalid",
    details: { errors: [{ path: "replaces" }] },
  });
  const other = await buildConversation(stage.built.admin, { agentId: stage.built.agent.id });
  await expect(start(stage, "Elsewhere", { replaces: first.id, conversationId: other.id })).rejects.toMatchObject({ code: "invalid" });
  const waiting = await start(stage, "Change it");
  expect(waiting.status).toBe("waiting");
  await expect(start(stage, "Meanwhile", { replaces: waiting.id })).rejects.toMatchObject({ code: "conflict" });
});

test("files keep their bytes, no file is replaced, and every name stays in the folder of uploads", async () => {
  const folder = workspaceFolder({ id: stage.conversationId, workspaceId: stage.built.workspace.id }, { sharedFolder: null });
  const twins = await Promise.all(["one", "two"].map((text) => addFile(writer(), stage.conversationId, sent(text))));
  expect(twins.map(({ path }) => path).toSorted()).toEqual(["uploads/notes (2).txt", "uploads/notes.txt"]);
  const texts = await Promise.all(twins.map(({ path: name }) => readFile(path.join(folder, name), "utf8")));
  expect(texts).toEqual(["one", "two"]);
  const escaped = await addFile(writer(), stage.conversationId, { name: "../../../outside.txt", bytes: Buffer.from("x") });
  expect(escaped.path).toBe("uploads/outside.txt");
  await expect(addFile(writer(), stage.conversationId, sent(""))).rejects.toMatchObject({ code: "invalid" });
  const huge = { name: "huge", bytes: new Uint8Array(maxFileBytes + 1) };
  await expect(addFile(writer(), stage.conversationId, huge)).rejects.toMatchObject({ code: "too_large" });
});

test("a message names its files, an image among them is shown as it was, and paths outside the folder are refused", async () => {
  const server = await giveModel(stage, [saying("A dot."), saying("Still a dot.")]);
  const image = await addFile(writer(), stage.conversationId, { name: "dot.png", bytes: pixel });
  const notes = await addFile(writer(), stage.conversationId, sent("hello"));
  const run = await start(stage, "What is it?", { attachments: [image.path, notes.path, image.path] });
  expect(run).toMatchObject({ status: "succeeded", answer: "A dot." });
  const asked = JSON.stringify(server.requests[0]?.body);
  expect(asked).toContain("uploads/notes.txt (text/plain; charset=utf-8, 5 bytes)");
  expect(asked).toContain(`data:image/png;base64,${pixel.toString("base64")}`);
  const [shown] = (await listChatRuns(reader(), stage.conversationId, {})).items;
  expect(shown?.messages[0]?.attachments).toEqual([
    { path: image.path, mediaType: "image/png", bytes: pixel.byteLength, artifactId: expect.any(String) },
    { path: notes.path, mediaType: "text/plain; charset=utf-8", bytes: 5, artifactId: null },
  ]);
  const [kept] = await db().select().from(artifacts).where(eq(artifacts.conversationId, stage.conversationId));
  expect(kept).toMatchObject({ name: "dot.png", callId: null });
  await start(stage, "And now?");
  expect(JSON.stringify(server.requests[1]?.body), "later requests show it again").toContain("data:image/png");
  for (const attachments of [["../secret"], ["/etc/passwd"], ["uploads/none.txt"], ["uploads"]]) {
    await expect(start(stage, "Look", { attachments }), attachments[0]).rejects.toMatchObject({
      code: "invalid",
      details: { errors: [{ path: "attachments.0" }] },
    });
  }
  await expect(start(stage, "Look", { attachments: ["a"], conversationId: undefined })).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining("conversationId"),
  });
  const rows = await db().select().from(conversations).where(eq(conversations.id, stage.conversationId));
  expect(rows).toHaveLength(1);
});
