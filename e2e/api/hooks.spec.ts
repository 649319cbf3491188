import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { agentEndpoints } from "@/contracts/agents/agents";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { auditEndpoints } from "@/contracts/audit/audit";
import type { JsonObject } from "@/contracts/common";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { type Hook, type HookDraft, hookEndpoints } from "@/contracts/hooks/hooks";
import { turnEndpoints } from "@/contracts/turns/turns";
import { askBefore, type Callers, expect, test } from "../fixtures";
import { startWebhookReceiver, type WebhookReceiver } from "../webhook-receiver";

askBefore("write_file");

let receiver: WebhookReceiver;
const made: string[] = [];
test.beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
// All specs share one product: a hook that stays would change what others see.
test.afterEach(async ({ api }) => {
  await receiver.close();
  for (const id of made.splice(0)) await api.admin.send(hookEndpoints.remove, { params: { id } });
});

type Settings = Partial<z.input<typeof HookDraft>> & Pick<z.input<typeof HookDraft>, "event" | "action">;

async function add(api: Callers, settings: Settings): Promise<Hook> {
  const body = { name: `hook-${randomUUID().slice(0, 8)}`, ...settings };
  const hook = await api.admin.call(hookEndpoints.create, { body });
  made.push(hook.id);
  return hook;
}

/** A conversation of an agent of its own, so that a hook for that agent touches nobody else. */
async function stage(api: Callers) {
  const agent = await api.admin.call(agentEndpoints.create, { body: { name: `hooked-${randomUUID().slice(0, 8)}` } });
  const { id } = await api.admin.call(conversationEndpoints.create, { body: { agent: agent.id } });
  const submit = (name: string, args: JsonObject, wait = 30) =>
    api.admin.call(turnEndpoints.submit, { params: { id }, body: { calls: [{ id: "c", name, arguments: args }], wait } });
  return { conversationId: id, match: { agentId: agent.id }, submit };
}

test("a hook is made, read, changed and removed, and each step stands in the audit", async ({ api }) => {
  const hook = await add(api, { event: "before_tool", action: { type: "deny", reason: "Never." }, enabled: false });
  const params = { id: hook.id };
  expect(await api.viewer.call(hookEndpoints.get, { params })).toEqual(hook);
  const body = { name: hook.name, event: hook.event, match: hook.match, action: hook.action, enabled: false, timeoutMs: 500 };
  const changed = await api.admin.call(hookEndpoints.update, { params, body }, { headers: { "if-match": `"${hook.version}"` } });
  expect(changed).toMatchObject({ timeoutMs: 500, version: hook.version + 1 });
  expect(await api.admin.refusal(hookEndpoints.update, { params, body }, { headers: { "if-match": `"${hook.version}"` } })).toMatchObject({
    status: 412,
  });
  expect(await api.viewer.refusal(hookEndpoints.update, { params, body })).toMatchObject({ status: 403 });
  expect(await api.stranger.refusal(hookEndpoints.get, { params })).toMatchObject({ status: 404 });
  expect(await api.admin.call(hookEndpoints.remove, { params })).toEqual({});
  const { items } = await api.viewer.call(auditEndpoints.list, { query: { event: "hook", query: hook.name } });
  expect(items.map(({ event }) => event)).toEqual(["hook.removed", "hook.updated", "hook.created"]);
});

test("a required argument that a hook provides need not be sent", async ({ api }) => {
  const { match, submit } = await stage(api);
  const missing = await submit("read_file", {});
  expect(missing.calls[0]).toMatchObject({ status: "failed", content: expect.stringContaining("missing required param: path") });
  await add(api, {
    event: "before_tool",
    match: { ...match, tool: "read_file" },
    action: { type: "inject", pointer: "/path", value: "no-such-file.txt" },
  });
  const provided = await submit("read_file", {});
  expect(provided.calls[0]).toMatchObject({
    arguments: { path: "no-such-file.txt" },
    sentArguments: {},
    hooks: [{ action: "inject", outcome: "changed" }],
    content: expect.stringContaining("no-such-file.txt"),
  });
});

test("a pattern that cannot be used is refused, with its place", async ({ api }) => {
  const body = { name: "wrong", event: "after_tool", action: { type: "redact", pattern: "a(b" } } as const;
  const problem = await api.admin.refusal(hookEndpoints.create, { body });
  expect(problem).toMatchObject({ status: 422, errors: [{ path: "action.pattern", message: expect.stringContaining("at character 2") }] });
  const misplaced = { name: "wrong", event: "after_tool", action: { type: "fall_back", result: "x" } } as const;
  expect(await api.admin.refusal(hookEndpoints.create, { body: misplaced })).toMatchObject({ status: 422 });
});

test("before_tool: what the hook made of the arguments is what people are shown, what runs and what is recorded", async ({ api }) => {
  const { match, submit } = await stage(api);
  await add(api, {
    event: "before_tool",
    match: { ...match, tool: "write_file" },
    action: { type: "redact", pattern: "\\b\\d{6}\\b", replacement: "[pin]" },
  });
  const turn = await submit("write_file", { path: "pin.txt", content: "the pin is 482913" }, 1);
  expect(turn.status).toBe("suspended");
  const approvalId = turn.calls[0]?.approvalId ?? "";
  const approval = await api.approver.call(approvalEndpoints.get, { params: { id: approvalId } });
  expect(approval.arguments).toMatchObject({ content: "the pin is [pin]" });
  await api.approver.call(approvalEndpoints.decide, { params: { id: approvalId }, body: { decision: "approve" } });
  await expect
    .poll(async () => (await api.admin.call(turnEndpoints.get, { params: { id: turn.id } })).status, { timeout: 15_000 })
    .toBe("completed");
  const done = await api.admin.call(turnEndpoints.get, { params: { id: turn.id } });
  expect(done.calls[0]).toMatchObject({
    status: "succeeded",
    arguments: { content: "the pin is [pin]" },
    sentArguments: { content: "***" },
    hooks: [{ event: "before_tool", outcome: "changed" }],
  });
  const read = await submit("read_file", { path: "pin.txt" });
  expect(read.calls[0]?.content).toContain("the pin is [pin]");
  expect(JSON.stringify([turn, done, approval, read])).not.toContain("482913");
  const { items } = await api.viewer.call(hookEndpoints.listRuns, { query: { callId: done.calls[0]?.callId } });
  expect(items).toMatchObject([{ outcome: "changed", tool: "write_file" }]);
});

test("after_tool: the model reads what the hook has left of a result", async ({ api }) => {
  const { match, submit } = await stage(api);
  await add(api, {
    event: "after_tool",
    match: { ...match, tool: "date_time" },
    action: { type: "redact", pattern: "\\d", replacement: "#" },
  });
  const turn = await submit("date_time", { timezone: "UTC" });
  expect(turn.calls[0]).toMatchObject({ status: "succeeded" });
  expect(turn.calls[0]?.content).toContain("##");
  expect(turn.calls[0]?.content).not.toMatch(/\d/);
});

test("on_error: a hook gives a result in place of an error", async ({ api }) => {
  const { match, submit } = await stage(api);
  const missing = { path: `${randomUUID()}.txt` };
  expect((await submit("read_file", missing)).calls[0]).toMatchObject({ status: "failed" });
  await add(api, { event: "on_error", match: { ...match, tool: "read_file" }, action: { type: "fall_back", result: "(no such file)" } });
  expect((await submit("read_file", missing)).calls[0]).toMatchObject({
    status: "succeeded",
    content: "(no such file)",
    hooks: [{ event: "on_error", action: "fall_back" }],
  });
});

test("before_llm and after_llm: a runtime's request gets a system message, its reply is redacted, and an equal request is answered at once", async ({
  api,
}) => {
  const { match, conversationId } = await stage(api);
  const system = { role: "system", content: "Never name customers." };
  await add(api, { event: "before_llm", match, action: { type: "inject", pointer: "/messages/0", value: system } });
  await add(api, { event: "before_llm", match, action: { type: "cache", ttlSeconds: 60 }, order: 200 });
  await add(api, { event: "after_llm", match, action: { type: "redact", pattern: "Acme", replacement: "[customer]" } });
  const counting = await add(api, { event: "after_llm", match, action: { type: "count_tokens" }, order: 200 });
  const llm = (event: "before_llm" | "after_llm" | "on_error", body: JsonObject) =>
    api.admin.call(hookEndpoints.runForLlm, { params: { id: conversationId, event }, body });
  const request = { messages: [{ role: "user", content: "Who buys most?" }] };
  const before = await llm("before_llm", { request });
  expect(before).toMatchObject({ skip: false, request: { messages: [system, { role: "user" }] } });
  const after = await llm("after_llm", { request: before.request ?? {}, reply: { content: "Acme does" } });
  expect(after.reply).toEqual({ content: "[customer] does" });
  expect(await llm("before_llm", { request })).toMatchObject({ skip: true, reply: { content: "[customer] does" } });
  const { items } = await api.viewer.call(hookEndpoints.listRuns, { query: { hookId: counting.id } });
  expect(items[0]?.data).toMatchObject({ tokens: expect.any(Number) });

  await add(api, { event: "on_error", match, action: { type: "fall_back", result: "Please try again." } });
  expect(await llm("on_error", { error: { message: "529" } })).toMatchObject({ reply: { content: "Please try again." } });
  expect(await api.admin.refusal(hookEndpoints.runForLlm, { params: { id: conversationId, event: "after_llm" }, body: {} })).toMatchObject({
    status: 422,
  });
  expect(
    await api.stranger.refusal(hookEndpoints.runForLlm, { params: { id: conversationId, event: "before_llm" }, body: { request } }),
  ).toMatchObject({ status: 404 });
});

test("a hook that fails before a tool refuses the call by name; after it, the result stays", async ({ api }) => {
  const { match, submit } = await stage(api);
  receiver.answerWith(500, "broken");
  const before = await add(api, {
    name: "The broken judge",
    event: "before_tool",
    match: { ...match, tool: "date_time" },
    action: { type: "webhook", url: receiver.url, decides: true },
  });
  expect((await submit("date_time", { timezone: "UTC" })).calls[0]).toMatchObject({
    status: "denied",
    content: expect.stringContaining('the hook "The broken judge" could not look at the call'),
  });
  await api.admin.call(hookEndpoints.remove, { params: { id: before.id } });
  await add(api, { event: "after_tool", match: { ...match, tool: "date_time" }, action: { type: "webhook", url: receiver.url } });
  const turn = await submit("date_time", { timezone: "UTC" });
  expect(turn.calls[0]).toMatchObject({ status: "succeeded", hooks: [{ outcome: "failed" }] });
});

test("a webhook beyond its rate is skipped, and the run says so; a hook that hides runs each time", async ({ api }) => {
  const { match, submit } = await stage(api);
  const telling = await add(api, { event: "after_tool", match, action: { type: "webhook", url: receiver.url }, ratePerMinute: 1 });
  const hiding = await add(api, { event: "after_tool", match, action: { type: "redact", pattern: "\\d+" } });
  expect(hiding.ratePerMinute).toBeNull();
  for (let call = 0; call < 2; call += 1) {
    expect((await submit("date_time", { timezone: "UTC" })).calls[0]?.content).not.toMatch(/\d/);
  }
  const { items } = await api.viewer.call(hookEndpoints.listRuns, { query: { hookId: telling.id } });
  expect(items.map(({ outcome }) => outcome)).toEqual(["skipped", "unchanged"]);
});

test("a try-out on a recorded call shows before and after, and nothing is run", async ({ api }) => {
  const { match, submit } = await stage(api);
  const turn = await submit("date_time", { timezone: "UTC" });
  const hook = { name: "Try", event: "after_tool", match, action: { type: "truncate", maxChars: 3 } } as const;
  const trial = await api.admin.call(hookEndpoints.tryOut, { body: { hook } });
  expect(trial).toMatchObject({ callId: turn.calls[0]?.callId, matches: true, step: { outcome: "changed" } });
  expect(trial.after).not.toEqual(trial.before);
  expect(await api.viewer.refusal(hookEndpoints.tryOut, { body: { hook } })).toMatchObject({ status: 403 });
});
