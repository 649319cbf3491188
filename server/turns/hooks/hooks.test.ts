import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { z } from "zod";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { approvals, auditEvents, hookRuns, hooks, jobs, toolCalls, turns } from "@/db/schema";
import { removeAgent } from "@/server/agents/remove-agent";
import { decideApproval } from "@/server/approvals/decide-approval";
import { requirePermission } from "@/server/auth/actor";
import { hookRunsAtRest } from "@/server/hooks/record-runs";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { createRule } from "@/server/policy/rules/create-rule";
import { getConfig, updateConfig } from "@/server/policy/rules/guard-config";
import { buildAgent } from "@/server/testing/builders";
import { createHook } from "@/server/testing/configure";
import { hookDraft } from "@/server/testing/hook-drafts";
import { giveModel, saying, sentTexts } from "@/server/testing/models/run-stage";
import { webhookReceiver } from "@/server/testing/services/webhook-receiver";
import { approverActor, neverAborted, onlyApproval, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { buildTools } from "@/server/testing/test-tools";
import { defineTool } from "@/server/tools/define-tool";
import { waitForTurn } from "../read/wait-for-turn";
import { recoverTurns } from "../recovery/recover-turns";

process.env.HANDRAIL_WEBHOOK_ALLOW_PRIVATE = "true";
const stage = useStage();

const hook = (settings: Parameters<typeof hookDraft>[0]) =>
  createHook(requirePermission(stage.built.admin, "hooks:write"), hookDraft(settings));
const rule = (settings: Partial<GuardRuleDraft> & Pick<GuardRuleDraft, "tool" | "verdict">) =>
  createRule(requirePermission(stage.built.admin, "guard:write"), GuardRuleDraft.parse({ name: "A rule", ...settings }));
const allowAll = () => rule({ tool: "*", verdict: "allow", priority: 1 });

async function runsOf(callId: string) {
  await hookRunsAtRest();
  return db().select().from(hookRuns).where(eq(hookRuns.callId, callId)).orderBy(hookRuns.id);
}

async function callsOf(turnId: string) {
  return db().select().from(toolCalls).where(eq(toolCalls.turnId, turnId)).orderBy(toolCalls.position);
}

test("before_tool rewrites the arguments, and what it made of them is guarded, run and recorded", async () => {
  await hook({ event: "before_tool", match: { tool: "change" }, action: { type: "redact", pattern: "danger", replacement: "safe" } });
  await rule({ tool: "change", pattern: "danger", parameter: "text", verdict: "deny", priority: 500 });
  await allowAll();
  const turn = await submitCalls(stage, [["change", { text: "danger zone" }]]);
  const [call] = turn.calls;
  expect(call).toMatchObject({
    status: "succeeded",
    arguments: { text: "safe zone" },
    sentArguments: { text: "***" },
    content: "changed safe zone",
  });
  expect(stage.log).toEqual(["change safe zone"]);
  expect(call?.hooks).toMatchObject([
    { event: "before_tool", action: "redact", outcome: "changed", changes: [{ path: "/text", hidden: true }] },
  ]);
  expect(JSON.stringify(await callsOf(turn.id)), "what was redacted is kept nowhere").not.toContain("danger");
  expect(await runsOf(call?.callId ?? "")).toMatchObject([{ outcome: "changed", tool: "change", turnId: turn.id }]);
  const [audit] = await db().select().from(auditEvents).where(eq(auditEvents.event, "call.succeeded"));
  expect(audit?.data).toMatchObject({ arguments: { text: "safe zone" }, hooks: [{ outcome: "changed" }] });
});

test("a hook gets nothing past the guard: what it makes of the arguments is denied like anything else", async () => {
  await hook({ event: "before_tool", match: { tool: "change" }, action: { type: "set", pointer: "/text", value: "danger" } });
  await rule({ tool: "change", pattern: "danger", parameter: "text", verdict: "deny", priority: 500 });
  await allowAll();
  const turn = await submitCalls(stage, [["change", { text: "harmless" }]]);
  expect(turn.calls).toMatchObject([{ status: "denied", arguments: { text: "danger" }, sentArguments: { text: "harmless" } }]);
  expect(stage.log).toEqual([]);
});

const buildPut = () =>
  buildTools(
    stage.built.workspace.id,
    [
      defineTool({
        name: "put",
        title: "Put",
        description: "Wants a text",
        family: "probe",
        tier: "core",
        effect: "write",
        needs: [],
        names: { parameterAliases: { words: "text" } },
        input: z.strictObject({ text: z.string() }),
        execute: async ({ text }) => `put ${text}`,
      }),
    ],
    { alias: "put" },
  );

test("a required argument that a hook provides need not be sent, and everybody sees the call with it", async () => {
  await buildPut();
  await hook({ event: "before_tool", match: { tool: "put" }, action: { type: "redact", pattern: "region", replacement: "country" } });
  await hook({ event: "before_tool", match: { tool: "put" }, action: { type: "inject", pointer: "/text", value: "region 1" } });
  await allowAll();
  const turn = await submitCalls(stage, [["put", {}]]);
  const [call] = turn.calls;
  expect(call).toMatchObject({ status: "succeeded", arguments: { text: "country 1" }, content: "put country 1" });
  expect(call?.hooks?.map(({ action, outcome }) => [action, outcome])).toEqual([
    ["inject", "changed"],
    ["redact", "changed"],
  ]);
  expect(await runsOf(call?.callId ?? "")).toHaveLength(2);
});

test("the guard decides on the arguments that a hook fills in", async () => {
  await buildPut();
  await hook({ event: "before_tool", match: { tool: "put" }, action: { type: "set", pointer: "/text", value: "danger" } });
  await rule({ tool: "put", pattern: "danger", parameter: "text", verdict: "deny", priority: 500 });
  await allowAll();
  const turn = await submitCalls(stage, [["put", { text: 7 }]]);
  expect(turn.calls).toMatchObject([{ status: "denied", arguments: { text: "danger" }, sentArguments: { text: 7 } }]);
  expect(stage.log).toEqual([]);
});

test("a call that does not fit its schema fails as before where no hook provides what is missing, and no other hook sees it", async () => {
  await buildPut();
  await hook({ event: "before_tool", match: { tool: "put" }, action: { type: "inject", pointer: "/other", value: "x" } });
  await hook({ event: "before_tool", match: { tool: "put" }, action: { type: "deny", reason: "No." } });
  await allowAll();
  const turn = await submitCalls(stage, [["put", {}]]);
  expect(turn.calls).toMatchObject([{ status: "failed", content: expect.stringContaining("missing required param: text") }]);
  expect(await runsOf(turn.calls[0]?.callId ?? "")).toEqual([]);
});

test("an argument under an old name of its parameter is not missing", async () => {
  await buildPut();
  await hook({ event: "before_tool", match: { tool: "put" }, action: { type: "set", pointer: "/extra", value: "x" } });
  await hook({ event: "before_tool", match: { tool: "put" }, action: { type: "inject", pointer: "/text", value: "injected" } });
  await allowAll();
  const turn = await submitCalls(stage, [["put", { words: 7 }]]);
  expect(turn.calls).toMatchObject([{ status: "failed", content: expect.stringContaining("text: must be a text, not a number") }]);
});

test("a hook that denies stops a call that another hook completed", async () => {
  await buildPut();
  await hook({ event: "before_tool", match: { tool: "put" }, action: { type: "inject", pointer: "/text", value: "x" } });
  await hook({ event: "before_tool", match: { tool: "put" }, action: { type: "deny", reason: "Not today." } });
  await allowAll();
  const turn = await submitCalls(stage, [["put", {}]]);
  expect(turn.calls).toMatchObject([{ status: "denied", content: expect.stringContaining("Not today.") }]);
  expect(stage.log).toEqual([]);
});

test("hooks run once: the approval shows what they made of the call, and the turn resumes with exactly that", async () => {
  await hook({ event: "before_tool", match: { tool: "change" }, action: { type: "set", pointer: "/text", value: "first hook" } });
  const turn = await submitCalls(stage, [["change", { text: "sent" }]], { wait: 0.5 });
  expect(turn.status).toBe("suspended");
  const approval = await onlyApproval(turn.id);
  expect(approval.arguments).toEqual({ text: "first hook" });
  await hook({ event: "before_tool", match: { tool: "change" }, action: { type: "set", pointer: "/text", value: "later hook" } });
  await decideApproval(approverActor(stage), approval.id, { decision: "approve", comment: "" });
  await expect.poll(async () => (await waitForTurn(turn.id, 2, neverAborted)).status).toBe("completed");
  const done = await waitForTurn(turn.id, 2, neverAborted);
  expect(done.calls).toMatchObject([{ status: "succeeded", content: "changed first hook", sentArguments: { text: "sent" } }]);
  expect(stage.log).toEqual(["change first hook"]);
  expect(await runsOf(done.calls[0]?.callId ?? "")).toHaveLength(1);
  expect(await db().select().from(approvals).where(eq(approvals.turnId, turn.id))).toHaveLength(1);
});

test("a hook may stop a call, and says so to the model; its neighbours run", async () => {
  await allowAll();
  await hook({
    name: "No secrets",
    event: "before_tool",
    match: { tool: "change", argument: { pointer: "/text", pattern: "secret" } },
    action: { type: "deny", reason: "Secrets stay here." },
  });
  const turn = await submitCalls(stage, [
    ["change", { text: "a secret" }],
    ["change", { text: "news" }],
  ]);
  expect(statuses(turn)).toEqual(["denied", "succeeded"]);
  expect(turn.calls[0]?.content).toBe(
    'Denied by the hook "No secrets": change was not run. Secrets stay here. Change the call or go on without it.',
  );
  expect(turn.calls[0]?.decision).toMatchObject({ verdict: "deny", reason: turn.calls[0]?.content });
  expect(stage.log).toEqual(["change news"]);
  const [row] = await db().select().from(auditEvents).where(eq(auditEvents.event, "call.denied"));
  expect(row?.verdict).toBe("deny");
});

test("a hook before a tool that does not answer in time refuses the call; one after it changes nothing", async () => {
  await allowAll();
  const hanging = await webhookReceiver(() => {});
  await hook({
    name: "Slow judge",
    event: "before_tool",
    match: { tool: "change" },
    action: { type: "judge", url: hanging.url },
    timeoutMs: 60,
  });
  await hook({ event: "after_tool", match: { tool: "look" }, action: { type: "webhook", url: hanging.url }, timeoutMs: 60 });
  const turn = await submitCalls(stage, [
    ["change", { text: "a" }],
    ["look", { text: "b" }],
  ]);
  expect(statuses(turn)).toEqual(["denied", "succeeded"]);
  expect(turn.calls[0]?.content).toContain('the hook "Slow judge" could not look at the call: it took longer than 0.06 s.');
  expect(turn.calls[1]?.content).toBe("saw b");
  expect(stage.log).toEqual(["look b"]);
  for (const call of turn.calls) expect(await runsOf(call.callId)).toMatchObject([{ outcome: "timed_out" }]);
});

test("a program that decides may rewrite a call, signed as webhooks are, and may refuse it", async () => {
  await allowAll();
  const judge = await webhookReceiver((response, place) =>
    response.end(JSON.stringify(place === 0 ? { allow: true, arguments: { text: "rewritten" } } : { allow: false, reason: "Not today." })),
  );
  await hook({ event: "before_tool", match: { tool: "change" }, action: { type: "webhook", url: judge.url, decides: true } });
  const turn = await submitCalls(stage, [
    ["change", { text: "a" }],
    ["change", { text: "b" }],
  ]);
  expect(turn.calls).toMatchObject([
    { content: "changed rewritten" },
    { status: "denied", content: expect.stringContaining("Not today.") },
  ]);
  expect(judge.received[0]?.headers["handrail-signature"]).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
  expect(JSON.parse(judge.received[0]?.body ?? "")).toMatchObject({ event: "before_tool", tool: "change", arguments: { text: "a" } });
});

test("a call that the guard denies as sent leaves to no webhook and no judge, and is denied with the guard's reason", async () => {
  const { url, received } = await webhookReceiver((response) => response.writeHead(200).end('{"decision":"allow"}'));
  await rule({ tool: "change", pattern: "danger", parameter: "text", verdict: "deny", priority: 500, reason: "Too dangerous" });
  await allowAll();
  await hook({ event: "before_tool", match: { tool: "change" }, action: { type: "webhook", url, decides: false } });
  await hook({ event: "before_tool", match: { tool: "change" }, action: { type: "webhook", url, decides: true } });
  const denied = await submitCalls(stage, [["change", { text: "danger" }]]);
  expect(denied.calls).toMatchObject([
    { status: "denied", content: expect.stringContaining("Too dangerous"), decision: { verdict: "deny", ruleId: expect.any(String) } },
  ]);
  expect(received).toEqual([]);
  expect(await runsOf(denied.calls[0]?.callId ?? "")).toMatchObject([
    { outcome: "unchanged", message: "Not sent, because the guard denies the call" },
    { outcome: "unchanged", message: "Not sent, because the guard denies the call" },
  ]);
  await submitCalls(stage, [["change", { text: "harmless" }]]);
  expect(received).toHaveLength(2);
});

test("a denied call that a hook makes harmless is still kept from the program that decides, and does not run without it", async () => {
  const { url, received } = await webhookReceiver((response) => response.writeHead(200).end('{"decision":"allow"}'));
  await rule({ tool: "change", pattern: "danger", parameter: "text", verdict: "deny", priority: 500, reason: "Too dangerous" });
  await allowAll();
  await hook({
    event: "before_tool",
    match: { tool: "change" },
    action: { type: "redact", pattern: "danger", replacement: "safe" },
    order: 1,
  });
  await hook({ event: "before_tool", match: { tool: "change" }, action: { type: "webhook", url, decides: true }, order: 2 });
  const turn = await submitCalls(stage, [["change", { text: "danger zone" }]]);
  expect(turn.calls).toMatchObject([{ status: "denied", content: expect.stringContaining("Too dangerous") }]);
  expect([stage.log, received]).toEqual([[], []]);
});

test("a call of a denied tool leaves to no webhook", async () => {
  const { url, received } = await webhookReceiver();
  const config = await getConfig(requirePermission(stage.built.admin, "guard:read"));
  await updateConfig(requirePermission(stage.built.admin, "guard:write"), { deniedTools: ["change"] }, config.policyVersion);
  await hook({ event: "before_tool", match: { tool: "*" }, action: { type: "webhook", url, decides: true } });
  const turn = await submitCalls(stage, [["change", { text: "a" }]]);
  expect([statuses(turn), received]).toEqual([["denied"], []]);
});

test("arguments that a hook spoils are not run", async () => {
  await allowAll();
  await hook({ event: "before_tool", match: { tool: "change" }, action: { type: "set", pointer: "/text", value: 5 } });
  const turn = await submitCalls(stage, [["change", { text: "a" }]]);
  expect(turn.calls[0]).toMatchObject({
    status: "denied",
    content: expect.stringContaining("what it made of the arguments cannot be used"),
  });
  expect(stage.log).toEqual([]);
});

test("an equal read is answered from what was kept, unless the guard would not let it run", async () => {
  await hook({ event: "before_tool", match: { tool: "look" }, action: { type: "cache", ttlSeconds: 60 } });
  await hook({ event: "before_tool", match: { tool: "change" }, action: { type: "cache", ttlSeconds: 60 } });
  await hook({ event: "after_tool", match: { tool: "look" }, action: { type: "redact", pattern: "saw", replacement: "noticed" } });
  await submitCalls(stage, [["look", { text: "a" }]]);
  const again = await submitCalls(stage, [
    ["look", { text: "a" }],
    ["look", { text: "b" }],
  ]);
  expect(again.calls.map(({ content }) => content)).toEqual(["noticed a", "noticed b"]);
  expect(again.calls[0]?.hooks?.map(({ outcome }) => outcome)).toEqual(["answered", "changed"]);
  expect(stage.log).toEqual(["look a", "look b"]);
  await rule({ tool: "look", verdict: "deny", priority: 900 });
  const denied = await submitCalls(stage, [["look", { text: "a" }]]);
  expect(statuses(denied)).toEqual(["denied"]);
  expect(denied.calls[0]?.content).not.toContain("noticed");
});

test("after_tool changes what the model reads, also of a tool that failed, and the original is kept nowhere", async () => {
  await hook({ event: "after_tool", action: { type: "redact", pattern: "saw|luck", replacement: "…" } });
  const turn = await submitCalls(stage, [
    ["look", { text: "it" }],
    ["sorry", {}],
  ]);
  expect(turn.calls.map(({ content }) => content)).toEqual(["… it", expect.stringMatching(/^no …\n\[a\.png is artifact:[0-9a-f-]{36}\]$/)]);
  expect(JSON.stringify(await callsOf(turn.id))).not.toMatch(/saw|luck/);
});

test("a result that a hook withholds is a failure with a sentence", async () => {
  await hook({ name: "Only numbers", event: "after_tool", action: { type: "validate", pointer: "/text", pattern: "^\\d+$" } });
  const turn = await submitCalls(stage, [["look", { text: "it" }]]);
  expect(turn.calls[0]).toMatchObject({
    status: "failed",
    content: 'Withheld by the hook "Only numbers": /text does not match ^\\d+$. Go on without what look answered.',
  });
});

test("on_error supplies a result for a tool that fails or takes too long, and the call says that it did", async () => {
  await hook({ event: "on_error", match: { tool: "fall" }, action: { type: "fall_back", result: "try again tomorrow" } });
  await hook({ event: "on_error", match: { tool: "hang" }, action: { type: "fall_back", result: { items: [] } } });
  const turn = await submitCalls(stage, [
    ["fall", {}],
    ["hang", {}],
  ]);
  expect(turn.calls).toMatchObject([
    { status: "succeeded", content: "try again tomorrow", hooks: [{ event: "on_error", action: "fall_back", outcome: "changed" }] },
    { status: "succeeded", content: '{"items":[]}', structuredContent: { items: [] } },
  ]);
});

test("a hook that hides and cannot run withholds the result of a tool and its error", async () => {
  await allowAll();
  for (const event of ["after_tool", "on_error"] as const) {
    const { id } = await hook({ event, action: { type: "redact", pattern: "x" } });
    // An older version may have stored this action.
    await db()
      .update(hooks)
      .set({ action: { type: "redact", pattern: "(", replacement: "", pointer: null } })
      .where(eq(hooks.id, id));
  }
  const turn = await submitCalls(stage, [
    ["look", { text: "hunter2" }],
    ["fall", {}],
  ]);
  expect(turn.calls).toMatchObject([
    { status: "failed", hooks: [{ event: "after_tool", outcome: "failed" }] },
    { status: "failed", hooks: [{ event: "on_error" }, { event: "after_tool" }] },
  ]);
  for (const { content } of turn.calls) expect(content).toMatch(/^Withheld: the hook .* could not look at the answer of/);
});

test("an audit hook's row is there before the call runs, with the chosen fields and no secret", async () => {
  await hook({ event: "before_tool", match: { tool: "look" }, action: { type: "audit", note: "somebody looks", fields: ["/text"] } });
  const turn = await submitCalls(stage, [["look", { text: "sk-abcdefghijklmnopqrstuvwx" }]]);
  const [row] = await db().select().from(auditEvents).where(eq(auditEvents.event, "hook.noted"));
  expect(row).toMatchObject({ callId: turn.calls[0]?.callId, tool: "look", data: { note: "somebody looks" } });
  expect(JSON.stringify(row)).not.toContain("abcdefghijkl");
  expect(JSON.stringify(await runsOf(turn.calls[0]?.callId ?? ""))).not.toContain("abcdefghijkl");
});

test("a wish to run in the background outlives what hooks make of the arguments, and the job's result is hooked too", async () => {
  await buildTools(
    stage.built.workspace.id,
    [
      defineTool({
        name: "later",
        title: "Later",
        description: "Takes its time",
        family: "probe",
        tier: "core",
        effect: "read",
        needs: [],
        running: { backgroundable: true },
        input: z.object({ text: z.string() }),
        execute: async ({ text }) => `later ${text}`,
      }),
    ],
    { alias: "later" },
  );
  await hook({ event: "before_tool", match: { tool: "later" }, action: { type: "set", pointer: "/text", value: "hooked" } });
  await hook({ event: "after_tool", match: { tool: "later" }, action: { type: "redact", pattern: "later", replacement: "soon" } });
  const turn = await submitCalls(stage, [["later", { text: "sent", runInBackground: true }]]);
  expect(turn.calls[0]).toMatchObject({ status: "succeeded", arguments: { text: "hooked" }, jobId: expect.any(String) });
  const jobId = turn.calls[0]?.jobId ?? "";
  await expect.poll(async () => (await db().select().from(jobs).where(eq(jobs.id, jobId)))[0]?.content).toBe("soon hooked");
});

test("a call that runs again after a crash is not hooked again", async () => {
  const append = { type: "redact", pattern: "$", replacement: "!" } as const;
  await hook({ event: "before_tool", match: { tool: "look" }, action: append });
  const { calls, id } = await submitCalls(stage, [["look", { text: "once" }]]);
  expect(calls[0]?.content).toBe("saw once!");
  // The rows of a replica that was killed while the call ran.
  const gone = newId();
  await db().update(turns).set({ status: "running", claimedBy: gone, finishedAt: null }).where(eq(turns.id, id));
  const running = { status: "running", startedBy: gone, startedAt: new Date(), finishedAt: null, content: "" } as const;
  await db().update(toolCalls).set(running).where(eq(toolCalls.turnId, id));
  await recoverTurns();
  const again = await waitForTurn(id, 10, neverAborted);
  expect(again.calls[0]).toMatchObject({ status: "succeeded", content: "saw once!", arguments: { text: "once!" } });
  expect(stage.log).toEqual(["look once!", "look once!"]);
  expect(await runsOf(calls[0]?.callId ?? "")).toHaveLength(1);
});

test("an agent judges a call by its instructions, and a judge that says nothing usable or is gone refuses it", async () => {
  await allowAll();
  const judge = await buildAgent(stage.built.workspace.id, { name: "judge", instructions: "Nothing may be renamed." });
  const answers = ['Fine.\n```json\n{"allow": true}\n```', '{"allow": false, "reason": "That renames."}', "I would say yes."];
  const server = await giveModel(
    stage,
    answers.map((text) => saying(text)),
  );
  const action = { type: "judge", agentId: judge.id, instructions: "Look at the text." } as const;
  await hook({ event: "before_tool", match: { tool: "change" }, action, timeoutMs: 20_000 });
  const change = async (text: string) => (await submitCalls(stage, [["change", { text }]])).calls[0];
  expect(await change("a")).toMatchObject({ status: "succeeded" });
  expect(await change("rename b")).toMatchObject({ status: "denied", content: expect.stringContaining("That renames.") });
  expect(await change("c")).toMatchObject({ status: "denied", content: expect.stringContaining("not a decision") });
  const [asked] = server.requests;
  const [system, message] = asked ? sentTexts(asked) : [];
  expect(system).toMatch(/^system: Nothing may be renamed\.\s+Look at the text\.\s+You judge whether/);
  expect(message).toContain('"arguments":{"text":"a"}');
  await removeAgent(requirePermission(stage.built.admin, "agents:write"), judge.id, null);
  expect(await change("d")).toMatchObject({ status: "denied", content: expect.stringContaining("was removed") });
  expect(stage.log).toEqual(["change a"]);
});
