import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { ContactDraft } from "@/contracts/messengers/contacts";
import { auditEvents, recurringTodos } from "@/db/schema";
import type { CallScope } from "@/server/capabilities/define-capability";
import { contacts } from "@/server/contacts/contacts";
import { type AgentModelCapability, agentModel } from "@/server/models/agent-model";
import { db } from "@/server/platform/database/database";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { giveModel, saying, sentTexts, useRunStage } from "@/server/testing/models/run-stage";
import { runTool } from "@/server/testing/run-tool";
import { completeTodo, createTodo, listTodos, removeTodo } from "./manage-todos";
import { addDueTodo, listRecurring, removeRecurring } from "./recurring-todos";
import { laterTime, momentOf } from "./repeat";
import { type TodosCapability, todos } from "./todos-capability";
import { todoUpdate } from "./tools/todo-update";

const stage = useRunStage();
let given: { todos: TodosCapability; model: AgentModelCapability };
beforeEach(() => {
  const { workspace, agentKey } = stage.built;
  const scope = { workspaceId: workspace.id, conversationId: stage.conversationId, actor: agentKey } as unknown as CallScope;
  given = { todos: todos.create(scope), model: agentModel.create(scope) };
});
const writer = () => authorize(stage.built.approver, "todos:write");
const reader = () => authorize(stage.built.viewer, "turns:read");
const update = async (args: JsonObject) => (await runTool(todoUpdate, args, given)) as JsonObject;
const contents = async (status: "open" | "done") => (await listTodos(reader(), { status })).items.map(({ content }) => content);
const json = (value: object) => saying(JSON.stringify(value));
const addMei = () =>
  contacts.create({
    actor: authorize(stage.built.approver, "contacts:write"),
    body: ContactDraft.parse({ name: "Mei", reachableIds: ["tg:@mei_lin", "tg:-1001"] }),
  });

describe("add", () => {
  test("writes the address of a contact behind the person's name, and answers the counts", async () => {
    await addMei();
    const server = await giveModel(stage, [json({ content: "Ask Mei (tg:@mei_lin) about the invoice", missing: [] })]);
    const answer = await update({ action: "add", content: "Ask Mei about the invoice", people: ["Mei"], chat_id: "tg:-1001" });
    expect(answer).toEqual({
      ok: true,
      action: "add",
      updated_counts: { open_count: 1, done_count: 0 },
      changed: { wip_added: 1, wip_removed: 0, done_added: 0 },
      entry: { created_at: expect.any(String), done_at: null, content: "Ask Mei (tg:@mei_lin) about the invoice" },
    });
    expect(server.requests[0] && sentTexts(server.requests[0])[0]).toContain("tg:@mei_lin");
    expect((await listTodos(reader())).items).toMatchObject([
      { people: ["Mei"], chatId: "tg:-1001", conversationId: stage.conversationId },
    ]);
  });

  test("writes the text as it is, with a warning, when a person cannot be resolved", async () => {
    await giveModel(stage, [json({ content: "", missing: ["Bo"] })]);
    const raw = { action: "add", content: "Call Bo", people: ["Bo"] };
    expect(await update(raw)).toMatchObject({ entry: { content: "Call Bo" }, warnings: ["reference_unresolved_write_raw"] });
    await addMei();
    await giveModel(stage, [json({ content: "", missing: ["Bo"] }), json({ duplicateOf: null })]);
    expect(await update({ ...raw, content: "Write to Bo" })).toMatchObject({ warnings: ["reference_unresolved_write_raw"] });
    expect(await contents("open")).toEqual(["Write to Bo", "Call Bo"]);
  });

  test("adds no second one for the same task", async () => {
    await createTodo(writer(), { content: "Buy milk" });
    await giveModel(stage, [json({ duplicateOf: 1 })]);
    const answer = await update({ action: "add", content: "Get some milk", people: [] });
    expect(answer).toMatchObject({ changed: { wip_added: 0 }, entry: { content: "Buy milk" }, warnings: ["duplicate_of_open_item"] });
    expect(await contents("open")).toEqual(["Buy milk"]);
  });
});

describe("complete", () => {
  test("finds the to-do by its meaning", async () => {
    await createTodo(writer(), { content: "Buy milk" });
    await createTodo(writer(), { content: "Water the plants" });
    await giveModel(stage, [json({ matches: [1] })]);
    expect(await update({ action: "complete", content: "the milk is there" })).toMatchObject({
      updated_counts: { open_count: 1, done_count: 1 },
      changed: { wip_added: 0, wip_removed: 1, done_added: 1 },
      entry: { content: "Buy milk", done_at: expect.any(String) },
    });
    expect(await contents("done")).toEqual(["Buy milk"]);
  });

  test("refuses no match, and several", async () => {
    await giveModel(stage, [json({ matches: [] }), json({ matches: [1, 2] })]);
    await expect(update({ action: "complete", content: "x" })).rejects.toThrow("no matching todo item in TODO.md");
    await createTodo(writer(), { content: "Buy milk" });
    await createTodo(writer(), { content: "Buy oat milk" });
    await expect(update({ action: "complete", content: "x" })).rejects.toThrow("no matching todo item in TODO.md");
    await expect(update({ action: "complete", content: "milk" })).rejects.toThrow('ambiguous todo item match: "Buy milk", "Buy oat milk"');
  });
});

describe("a refusal has the words that models know", () => {
  test.each<[JsonObject, string]>([
    [{ content: "x" }, "action is required"],
    [{ action: "", content: "x" }, "action is required"],
    [{ action: "drop", content: "x" }, "invalid action: drop"],
    [{ action: "add", people: [] }, "content is required"],
    [{ action: "add", content: "  ", people: [] }, "content is required"],
    [{ action: "add", content: "x" }, "people is required for add action"],
    [{ action: "add", content: "x", people: "Mei" }, "people must be an array of strings"],
    [{ action: "add", content: "x", people: [1] }, "people must be an array of strings"],
    [{ action: "add", content: "x", people: [], chat_id: "tg:0" }, "invalid chat_id: tg:0"],
    [{ action: "add", content: "x", people: [], chat_id: "tg:9223372036854775808" }, "invalid chat_id"],
    [{ action: "add_recurring", content: "x", people: [], repeat: "daily" }, "next is required"],
  ])("%j: %s", async (args, message) => {
    await expect(update(args)).rejects.toThrow(message);
  });

  test("for a workspace without a provider, and for providers without a model", async () => {
    await expect(update({ action: "complete", content: "x" })).rejects.toThrow("todo_update unavailable (missing llm client)");
    const without = { ...given, model: { ...given.model, missing: async () => "model" as const } };
    await expect(runTool(todoUpdate, { action: "complete", content: "x" }, without)).rejects.toThrow("(missing llm model)");
  });

  test.each([
    ["Ask Bo (tg:zero)", "invalid reference id: (tg:zero)"],
    ["Ask Bo (mail:bo)", "invalid reference id: (mail:bo)"],
    ["Ask Bo (tg:1002)", "reference id is not reachable: tg:1002"],
  ])("%s: %s", async (content, message) => {
    await addMei();
    await giveModel(stage, [json({ content, missing: [] })]);
    await expect(update({ action: "add", content, people: [] })).rejects.toThrow(message);
    await expect(update({ action: "add", content: "Ask Bo", people: ["Bo"] })).rejects.toThrow(message);
    expect(await contents("open")).toEqual([]);
  });

  test("for replies of the model that are not what was asked for", async () => {
    await addMei();
    await createTodo(writer(), { content: "Buy milk" });
    await giveModel(stage, [saying("I do not know"), json({ duplicateOf: 7 }), json({ matches: "1" })]);
    await expect(update({ action: "add", content: "x", people: ["Mei"] })).rejects.toThrow("invalid reference_resolve response");
    await expect(update({ action: "add", content: "x", people: [] })).rejects.toThrow("invalid semantic_dedup response");
    await expect(update({ action: "complete", content: "x" })).rejects.toThrow("invalid semantic_match response");
  });
});

describe("a recurring to-do", () => {
  const args = { action: "add_recurring", content: "Water the plants", people: [], next: "2100-03-27 09:00", tz: "Europe/Paris" };
  const backdate = async (id: string) => {
    const nextAt = sql`date_trunc('milliseconds', now() - interval '50 hours')`;
    const [row] = await db().update(recurringTodos).set({ nextAt }).where(eq(recurringTodos.id, id)).returning();
    return { recurringId: id, dueAt: row?.nextAt.toISOString() ?? "" };
  };

  test("comes at its times, once each, and not again while the last one is open", async () => {
    await giveModel(stage, [saying("unused")]);
    const { recurring } = (await update({ ...args, repeat: "every 1 days" })) as { recurring: { id: string; next_at: string } };
    expect(recurring).toMatchObject({ next_at: "2100-03-27T08:00:00.000Z" });
    const due = await backdate(recurring.id);
    await Promise.all([addDueTodo(due), addDueTodo(due), addDueTodo(due)]);
    expect(await contents("open")).toEqual(["Water the plants"]);
    const [next] = (await listRecurring(reader())).items;
    const ahead = Date.parse(next?.nextAt ?? "") - Date.now();
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThan(25 * 3_600_000);
    await addDueTodo(await backdate(recurring.id));
    expect(await contents("open")).toHaveLength(1);
    const [{ id } = { id: "" }] = (await listTodos(reader(), { status: "open" })).items;
    await completeTodo(writer(), id);
    await addDueTodo(await backdate(recurring.id));
    expect(await contents("open")).toEqual(["Water the plants"]);
    await removeRecurring(writer(), recurring.id);
    expect(await contents("open")).toHaveLength(1);
  });

  test.each([
    [{ repeat: "monthly" }, "invalid repeat: monthly"],
    [{ repeat: "every 0 days" }, "invalid repeat"],
    [{ repeat: "daily", next: "2100-02-30 09:00" }, "invalid next: 2100-02-30"],
    [{ repeat: "daily", next: "2001-01-01 09:00" }, "is over"],
    [{ repeat: "daily", tz: "Mars/Base" }, 'no time zone "Mars/Base"'],
  ])("%j is refused: %s", async (wrong, message) => {
    await giveModel(stage, [saying("unused")]);
    await expect(update({ ...args, ...wrong })).rejects.toThrow(message);
  });

  test("keeps the wall clock's time when summer time begins", async () => {
    expect((await momentOf(db(), "2027-03-27 09:00", "Europe/Paris")).toISOString()).toBe("2027-03-27T08:00:00.000Z");
    const row = { nextAt: new Date("2027-03-27T08:00:00Z"), repeatUnit: "day", repeatEvery: 1, timezone: "Europe/Paris" } as const;
    expect((await laterTime(db(), row, row.nextAt)).toISOString()).toBe("2027-03-28T07:00:00.000Z");
  });
});

test("people add, complete and remove to-dos, with an audit trail, and only in their workspace", async () => {
  const todo = await createTodo(writer(), { content: "Buy milk" });
  const other = authorize((await buildWorkspace()).admin, "todos:write");
  await expect(completeTodo(other, todo.id)).rejects.toThrow("does not exist");
  await expect(removeTodo(other, todo.id)).rejects.toThrow("does not exist");
  expect(await completeTodo(writer(), todo.id)).toMatchObject({ status: "done", doneBy: { id: stage.built.approver.id } });
  expect(await completeTodo(writer(), todo.id)).toMatchObject({ status: "done" });
  await removeTodo(writer(), todo.id);
  const events = await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, stage.built.workspace.id)).orderBy(auditEvents.id);
  expect(events.map(({ event }) => event)).toEqual(["todo.added", "todo.completed", "todo.removed"]);
});
