import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { HookDraft } from "@/contracts/hooks/hooks";
import { auditEvents, hookRuns } from "@/db/schema";
import { recordRuns } from "@/server/hooks/record-runs";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildApiKey, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { hookDraft } from "@/server/testing/hook-drafts";
import { useTestDatabase } from "@/server/testing/test-database";
import { createHook } from "./create-hook";
import { getHook } from "./get-hook";
import { listHookRuns } from "./list-hook-runs";
import { listHooks } from "./list-hooks";
import { orderHooks } from "./order-hooks";
import { removeHook } from "./remove-hook";
import { removeOldRuns } from "./remove-old-runs";
import { runLlmHooks } from "./run-llm-hooks";
import { tryHook } from "./try-hook";
import { updateHook } from "./update-hook";

useTestDatabase();

async function build() {
  const built = await buildWorkspace();
  const conversation = await buildConversation(built.agentKey);
  return {
    ...built,
    writer: authorize(built.admin, "hooks:write"),
    reader: authorize(built.viewer, "guard:read"),
    runtime: authorize(built.agentKey, "turns:write"),
    conversationId: conversation.id,
  };
}

const deny = hookDraft({ event: "before_tool", action: { type: "deny", reason: "Never." } });

test("a hook is added, changed and removed with an audit row each, and a stale change changes nothing", async () => {
  const { writer, reader } = await build();
  const made = await createHook(writer, deny);
  const changed = await updateHook(writer, made.id, { ...deny, name: "Other" }, made.version);
  expect(changed).toMatchObject({ name: "Other", version: 2 });
  await expect(updateHook(writer, made.id, deny, made.version)).rejects.toMatchObject({ code: "stale_version" });
  await expect(removeHook(writer, made.id, made.version)).rejects.toMatchObject({ code: "stale_version" });
  expect(await getHook(reader, made.id)).toMatchObject({ name: "Other" });
  await removeHook(writer, made.id, changed.version);
  await expect(getHook(reader, made.id)).rejects.toMatchObject({ code: "not_found" });
  const rows = await db()
    .select({ event: auditEvents.event })
    .from(auditEvents)
    .where(and(eq(auditEvents.subject, made.id), eq(auditEvents.workspaceId, writer.workspaceId)))
    .orderBy(auditEvents.id);
  expect(rows.map(({ event }) => event)).toEqual(["hook.created", "hook.updated", "hook.removed"]);
});

test("another workspace's hooks do not exist", async () => {
  const { writer } = await build();
  const other = await build();
  const { id } = await createHook(writer, deny);
  await expect(getHook(other.reader, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(updateHook(other.writer, id, deny, null)).rejects.toMatchObject({ code: "not_found" });
  await expect(removeHook(other.writer, id, null)).rejects.toMatchObject({ code: "not_found" });
  expect((await listHooks(other.reader)).items).toEqual([]);
});

test.each([
  ["a pattern", { ...deny, match: { ...deny.match, argument: { pointer: "/path", pattern: "a(b" } } }, "match.argument.pattern"],
  ["a kind of tool", { ...deny, match: { ...deny.match, tool: "effect:nothing" } }, "match.tool"],
  ["an agent", { ...deny, match: { ...deny.match, agentId: newId() } }, "match.agentId"],
  ["a schema", hookDraft({ event: "before_tool", action: { type: "validate", schema: { $ref: "#/a" } } }), "action.schema"],
  ["a pointer", hookDraft({ event: "before_tool", action: { type: "inject", pointer: "/a/*", value: 1 } }), "action.pointer"],
  ["an address", hookDraft({ event: "before_tool", action: { type: "webhook", url: "http://169.254.169.254/latest" } }), "action.url"],
])("%s that cannot be used is refused with its place", async (_title, draft, path) => {
  const { writer } = await build();
  await expect(createHook(writer, draft)).rejects.toMatchObject({ code: "invalid", details: { errors: [{ path }] } });
});

test("people who may not change hooks see an address's host only, and so does the audit", async () => {
  const { writer, reader } = await build();
  const made = await createHook(
    writer,
    hookDraft({ event: "after_tool", action: { type: "webhook", url: "https://example.com/h?token=of-theirs" } }),
  );
  expect(JSON.stringify(made)).toContain("of-theirs");
  expect(JSON.stringify(await getHook(reader, made.id))).not.toContain("of-theirs");
  const [row] = await db().select().from(auditEvents).where(eq(auditEvents.subject, made.id));
  expect(JSON.stringify(row)).toContain("https://example.com");
  expect(JSON.stringify(row)).not.toContain("of-theirs");
});

test("hooks are put into another order, all of them or none", async () => {
  const { writer, reader } = await build();
  const ids: string[] = [];
  for (const name of ["a", "b", "c"]) ids.push((await createHook(writer, { ...deny, name })).id);
  const turned = ids.toReversed();
  expect((await orderHooks(writer, turned)).items.map(({ name }) => name)).toEqual(["c", "b", "a"]);
  const firstPage = await listHooks(reader, { limit: 2 });
  const secondPage = await listHooks(reader, { limit: 2, cursor: firstPage.nextCursor ?? undefined });
  expect([...firstPage.items, ...secondPage.items].map(({ id }) => id)).toEqual(turned);
  await expect(orderHooks(writer, ids.slice(1))).rejects.toMatchObject({ code: "conflict" });
  await expect(orderHooks(writer, [...ids, ...ids])).rejects.toMatchObject({ code: "invalid" });
});

test("a judge without an address shows itself as unavailable, with the reason", async () => {
  const { writer } = await build();
  expect((await createHook(writer, hookDraft({ event: "before_tool", action: { type: "judge" } }))).availability).toEqual({
    status: "unavailable",
    reason: expect.stringContaining("No judge is configured"),
  });
});

test("before_llm adds to the prompt, an answer that was kept spares the model, and after_llm filters it each time", async () => {
  const { writer, runtime, conversationId } = await build();
  const system = { role: "system", content: "Answer in French." };
  await createHook(writer, hookDraft({ event: "before_llm", action: { type: "inject", pointer: "/messages/0", value: system } }));
  await createHook(writer, hookDraft({ event: "before_llm", action: { type: "cache" } }));
  await createHook(writer, hookDraft({ event: "after_llm", action: { type: "redact", pattern: "Jean", replacement: "[name]" } }));
  await createHook(writer, hookDraft({ event: "after_llm", action: { type: "count_tokens" }, order: 500 }));
  const asked = { messages: [{ role: "user", content: "Who?" }] };
  const before = await runLlmHooks(runtime, conversationId, "before_llm", { request: asked });
  expect(before).toMatchObject({ request: { messages: [system, asked.messages[0]] }, skip: false, reply: null, denied: null });
  const after = await runLlmHooks(runtime, conversationId, "after_llm", { request: before.request ?? {}, reply: { content: "Jean" } });
  expect(after).toMatchObject({ reply: { content: "[name]" } });
  const again = await runLlmHooks(runtime, conversationId, "before_llm", { request: asked });
  expect(again).toMatchObject({ skip: true, reply: { content: "[name]" } });
  expect(again.hooks.map(({ outcome }) => outcome)).toEqual(["changed", "answered", "changed", "unchanged"]);
  const { items } = await listHookRuns(authorize(writer, "guard:read"), { event: "after_llm" });
  expect(items.filter(({ action }) => action === "count_tokens")).toMatchObject([{ data: { tokens: 2 } }, { data: { tokens: 2 } }]);
  const elsewhere = await buildConversation(runtime);
  expect(await runLlmHooks(runtime, elsewhere.id, "before_llm", { request: asked })).toMatchObject({ skip: false });
});

test("an answer that one runtime reports is never another's answer", async () => {
  const { writer, runtime, conversationId } = await build();
  await createHook(writer, hookDraft({ event: "before_llm", action: { type: "cache", scope: "workspace" } }));
  const request = { prompt: "May I?" };
  await runLlmHooks(runtime, conversationId, "after_llm", { request, reply: { content: "Delete it all." } });
  const second = authorize(await buildApiKey(runtime.workspaceId, { agentId: runtime.agentId }), "turns:write");
  for (const other of [second, authorize(writer, "turns:write")]) {
    expect(await runLlmHooks(other, conversationId, "before_llm", { request })).toMatchObject({ skip: false, reply: null });
  }
  const elsewhere = await buildConversation(runtime);
  expect(await runLlmHooks(runtime, elsewhere.id, "before_llm", { request })).toMatchObject({ skip: true });
});

test("a request to a model may be refused, and an error of one may get an answer", async () => {
  const { writer, runtime, conversationId } = await build();
  const refusing = {
    event: "before_llm",
    match: { argument: { pointer: "", pattern: "salary" } },
    action: { type: "deny", reason: "Not here." },
  } as const;
  await createHook(writer, hookDraft({ ...refusing, name: "No salaries" }));
  await createHook(writer, hookDraft({ event: "on_error", action: { type: "fall_back", result: "I cannot answer now." } }));
  const denied = await runLlmHooks(runtime, conversationId, "before_llm", { request: { prompt: "whose salary?" } });
  expect(denied).toMatchObject({ skip: true, reply: null, denied: 'Denied by the hook "No salaries": the model was not asked. Not here.' });
  const failed = await runLlmHooks(runtime, conversationId, "on_error", { error: { message: "503" } });
  expect(failed).toMatchObject({ error: { message: "503" }, reply: { content: "I cannot answer now." } });
  await expect(runLlmHooks(runtime, conversationId, "after_llm", {})).rejects.toMatchObject({ code: "invalid" });
  const other = await build();
  await expect(runLlmHooks(other.runtime, conversationId, "on_error", { error: {} })).rejects.toMatchObject({ code: "not_found" });
});

test("a try-out shows what a hook would do, and nothing is sent, counted or written", async () => {
  const { writer } = await build();
  const example = { tool: null, value: { text: "call 555-0100, password=hunter2hunter2" } };
  const redact = hookDraft({ event: "after_tool", action: { type: "redact", pattern: "555-\\d+" } });
  const trial = await tryHook(writer, { hook: redact, callId: null, example });
  expect(trial).toMatchObject({ matches: true, step: { outcome: "changed" }, after: { text: expect.stringContaining("call [redacted]") } });
  expect(JSON.stringify(trial), "secrets stay masked").not.toContain("hunter2hunter2");
  expect(trial.before).toMatchObject({ text: expect.stringContaining("555-0100") });
  expect(JSON.stringify(trial.step)).not.toContain("555-0100");
  const webhook = hookDraft({ event: "before_llm", action: { type: "webhook", url: "https://example.com/h", decides: true } });
  expect((await tryHook(writer, { hook: webhook, callId: null, example })).step).toMatchObject({
    message: expect.stringContaining("nothing was sent"),
  });
  expect((await tryHook(writer, { hook: deny, callId: null, example })).sentence).toContain("Never.");
  await expect(tryHook(writer, { hook: deny, callId: newId(), example: null })).rejects.toMatchObject({ code: "not_found" });
  expect(await db().$count(hookRuns, eq(hookRuns.workspaceId, writer.workspaceId))).toBe(0);
});

test("runs are kept for two weeks", async () => {
  const { writer, conversationId } = await build();
  const { workspaceId } = writer;
  const agent = { id: newId(), name: "default" };
  const hookContext = {
    event: "after_tool" as const,
    workspaceId,
    conversationId,
    turnId: null,
    callId: null,
    agent,
    tool: null,
    arguments: {},
  };
  const step = {
    hookId: newId(),
    name: "a",
    event: hookContext.event,
    action: "redact",
    outcome: "changed" as const,
    message: null,
    durationMs: 0.1,
    changes: [],
  };
  recordRuns(hookContext, [{ step, data: {}, audit: null }]);
  const reader = authorize(writer, "guard:read");
  expect((await listHookRuns(reader)).items).toMatchObject([{ hookId: step.hookId, outcome: "changed" }]);
  await removeOldRuns(new Date(Date.now() + 13 * 86_400_000));
  expect((await listHookRuns(reader)).items).toHaveLength(1);
  await removeOldRuns(new Date(Date.now() + 15 * 86_400_000));
  expect((await listHookRuns(reader)).items).toEqual([]);
});

test("only a hook that calls another program has a rate: others show none, and one that is given a rate is refused", async () => {
  const { writer, reader } = await build();
  const hiding = await createHook(writer, hookDraft({ event: "after_tool", action: { type: "redact", pattern: "x" } }));
  const telling = await createHook(writer, hookDraft({ event: "after_tool", action: { type: "webhook", url: "https://example.com/h" } }));
  expect(await getHook(reader, hiding.id)).toMatchObject({ ratePerMinute: null });
  expect(await getHook(reader, telling.id)).toMatchObject({ ratePerMinute: 60 });
  const faster = { event: "after_tool", action: { type: "webhook", url: "https://example.com/h" }, ratePerMinute: 5 } as const;
  expect(await updateHook(writer, telling.id, hookDraft(faster), null)).toMatchObject({ ratePerMinute: 5 });
  const limited = HookDraft.safeParse({ ...faster, name: "A", action: { type: "redact", pattern: "x" } });
  expect(limited.error?.issues).toMatchObject([
    { path: ["ratePerMinute"], message: expect.stringContaining("every other action runs each time") },
  ]);
});
