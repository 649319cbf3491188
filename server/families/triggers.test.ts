import { createHmac } from "node:crypto";
import { and, asc, eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { TriggerDraft } from "@/contracts/automation/triggers";
import { auditEvents, conversations, triggerFirings } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { giveModel, saying, sentTexts, start, useRunStage } from "@/server/testing/models/run-stage";
import { ada, startTelegramServer, telegramToken } from "@/server/testing/platforms/telegram-server";
import { fillTemplate } from "./triggers/fill-template";
import { listAutomations } from "./triggers/list-automations";
import { receiveEvent } from "./triggers/receive-event";
import { createTrigger, rotateTriggerSecret } from "./triggers/triggers";
import { insertRun } from "./workflows/workflow-runs";
import { workflows } from "./workflows/workflows";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";
const stage = useRunStage();

const writer = () => authorize(stage.built.admin, "schedules:write");
const add = (draft: Partial<TriggerDraft> & Pick<TriggerDraft, "kind" | "template">) =>
  createTrigger({ actor: writer(), body: TriggerDraft.parse({ name: draft.kind, agentId: stage.built.agent.id, ...draft }) });
const firings = (triggerId: string) =>
  db().select().from(triggerFirings).where(eq(triggerFirings.triggerId, triggerId)).orderBy(asc(triggerFirings.id));
const outcomes = async (triggerId: string) => (await firings(triggerId)).map(({ outcome, reason }) => reason ?? outcome);
const post = (body: string, headers: Record<string, string>) => new Request("http://localhost/x", { method: "POST", body, headers });

test("a template is filled in one pass, with members of JSON, and words that the payload has not stay", () => {
  const payload = { text: "{sender}", sender: "Ada", body: '{"a":{"b":[1,{"c":"deep"}]},"n":2}' };
  expect(fillTemplate("{text} by {sender}, {unknown}", payload)).toBe("{sender} by Ada, {unknown}");
  expect(fillTemplate("{body.a.b.1.c} {body.n} {body.a} [{body.no.such}] [{body.__proto__}]", payload)).toBe(
    'deep 2 {"b":[1,{"c":"deep"}]} [] []',
  );
  expect(fillTemplate("{constructor} {toString}", payload)).toBe("{constructor} {toString}");
});

test("a webhook starts its agent once per call, with its secret or a signature, and a wrong one is refused and audited", async () => {
  const server = await giveModel(stage, [saying("Looked at it."), saying("Again.")]);
  const { id, secret } = await add({ kind: "webhook", template: "Deployed {body.app}" });
  const body = JSON.stringify({ app: "shop" });
  const signature = `sha256=${createHmac("sha256", secret ?? "")
    .update(body)
    .digest("hex")}`;
  const first = await receiveEvent(post(body, { "x-hub-signature-256": signature, "x-github-delivery": "d1" }), id);
  expect(await receiveEvent(post(body, { authorization: `Bearer ${secret}`, "idempotency-key": "d1" }), id)).toEqual(first);
  await expect.poll(() => outcomes(id)).toEqual(["started"]);
  await expect.poll(() => server.requests.map((request) => sentTexts(request).at(-1))).toEqual(["user: Deployed shop"]);
  const [conversation] = await db().select().from(conversations).where(eq(conversations.origin, "trigger"));
  expect(conversation).toMatchObject({ interactive: false, createdBy: { id: stage.built.admin.id } });
  await expect(receiveEvent(post(body, { authorization: "Bearer hrt_wrong" }), id)).rejects.toThrow("secret of this trigger");
  const other = await rotateTriggerSecret({ actor: writer(), params: { id } });
  await expect(receiveEvent(post(body, { authorization: `Bearer ${secret}` }), id)).rejects.toThrow("secret of this trigger");
  await receiveEvent(post(body, { authorization: `Bearer ${other.secret}` }), id);
  await expect.poll(() => outcomes(id)).toEqual(["started", "duplicate"]);
  const refused = and(eq(auditEvents.workspaceId, stage.built.workspace.id), eq(auditEvents.event, "trigger.signature_refused"));
  expect(await db().select().from(auditEvents).where(refused)).toHaveLength(1);
});

test("a trigger starts ten times a minute at the most", async () => {
  const { id, secret } = await add({ kind: "webhook", template: "{body}" });
  for (let number = 1; number <= 12; number += 1) await receiveEvent(post(`event ${number}`, { authorization: `Bearer ${secret}` }), id);
  await expect.poll(async () => (await outcomes(id)).filter((outcome) => outcome === "rate-limited").length, { timeout: 8_000 }).toBe(2);
});

test("an agent whose own end starts it is cut off at a depth of five", async () => {
  await giveModel(stage, () => saying("Done."));
  const { id } = await add({ kind: "agent_lifecycle", template: "Run {run_id} {status}: {answer}", ofAgentId: stage.built.agent.id });
  await start(stage, "Begin");
  await expect.poll(async () => (await outcomes(id)).at(-1), { timeout: 15_000 }).toMatch(/too deep/);
  expect((await firings(id)).map(({ depth }) => depth)).toEqual([1, 2, 3, 4, 5, 6]);
});

test("the end of a workflow starts another one, and Automations shows what has run", async () => {
  await giveModel(stage, () => saying("Report."));
  const step = { name: "One", agentId: stage.built.agent.id, prompt: "{input}" };
  const make = (name: string) =>
    workflows.create({
      actor: authorize(stage.built.admin, "workflows:write"),
      body: { name, description: "", plan: { kind: "sequential", steps: [step], maxRounds: 1, stopText: "" } },
    });
  const [first, second] = [await make("First"), await make("Second")];
  const { id } = await add({
    kind: "workflow_completed",
    template: "{workflow}: {answer}",
    agentId: null,
    workflowId: second.id,
    ofWorkflowId: first.id,
  });
  const row = await workflows.find(stage.built.workspace.id, first.id);
  await db().transaction((tx) => insertRun(tx, row, { input: "Go", idempotencyKey: null, by: stage.built.admin }));
  await expect
    .poll(async () => (await firings(id)).map(({ outcome, text, workflowRunId }) => [outcome, text, workflowRunId !== null]), {
      timeout: 8_000,
    })
    .toEqual([["started", "First: Report.", true]]);
  const { items } = await listAutomations(authorize(stage.built.admin, "turns:read"));
  expect(items).toMatchObject([{ kind: "trigger", target: "Second", startsOn: "workflow_completed", lastRunAt: expect.any(String) }]);
});

test("messages for the agent start channel_message, and any message of a group that holds a text starts content_match", async () => {
  await giveModel(stage, () => saying("Noted."));
  const telegram = await startTelegramServer();
  onTestFinished(() => telegram.close());
  const account = { settings: { apiUrl: telegram.url }, secrets: { token: telegramToken }, streams: false, writers: "anyone" as const };
  await connectMessenger(stage, { platform: "telegram", transport: "connection", ...account });
  const every = await add({ kind: "channel_message", template: "{sender}: {text}" });
  const outage = await add({ kind: "content_match", template: "{match} in {chat}: {text}", words: ["OUTAGE"] });
  telegram.message("Hello there", { from: ada });
  await expect.poll(() => outcomes(every.id), { timeout: 8_000 }).toEqual(["started"]);
  expect((await firings(every.id))[0]?.text).toContain("Hello there");
  telegram.message("An outage in the east", { from: ada, chat: { id: -5, type: "group", title: "Ops" } });
  await expect.poll(() => outcomes(outage.id), { timeout: 8_000 }).toEqual(["started"]);
  expect((await firings(outage.id))[0]?.text).toBe("OUTAGE in Ops: An outage in the east");
  expect(await outcomes(every.id)).toEqual(["started"]);
});
