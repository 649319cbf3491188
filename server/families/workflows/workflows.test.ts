import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { WorkflowDraft, type WorkflowPlan, type WorkflowRun } from "@/contracts/automation/workflows";
import { agents, memberships, runs, workflowSteps } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import type { CallScope } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildAgent, buildWorkspace } from "@/server/testing/builders";
import { calling, giveModel, rowOf, saying, sentTexts, useRunStage } from "@/server/testing/models/run-stage";
import { runTool } from "@/server/testing/run-tool";
import { approverActor, onlyApproval } from "@/server/testing/stage";
import { advanceWorkflow, startStep } from "./advance-workflow";
import { startWorkflowTool } from "./tools/start-workflow";
import { cancelWorkflowRun, listWorkflowRuns, startWorkflow } from "./workflow-runs";
import { listWorkflows, workflows } from "./workflows";
import { workflows as workflowsOfCall } from "./workflows-capability";

const stage = useRunStage();
const writer = () => authorize(stage.built.admin, "workflows:write");
const starter = () => authorize(stage.built.admin, "turns:write");
const reader = () => authorize(stage.built.viewer, "turns:read");

/** Adds a workflow whose steps are all of the stage's agent. */
function add(prompts: Record<string, string>, plan: Partial<WorkflowPlan> = {}, name = "Report") {
  const steps = Object.entries(prompts).map(([step, prompt]) => ({ name: step, agentId: stage.built.agent.id, prompt }));
  return workflows.create({ actor: writer(), body: WorkflowDraft.parse({ name, plan: { kind: "sequential", steps, ...plan } }) });
}
const begin = (workflowId: string, input = "", idempotencyKey: string | null = null) =>
  startWorkflow(starter(), workflowId, { input, idempotencyKey });
async function read(workflowId: string): Promise<WorkflowRun> {
  const [run] = (await listWorkflowRuns(reader(), workflowId)).items;
  if (!run) throw new Error("the workflow has not run");
  return run;
}
const ends = (workflowId: string, expected: object) => expect.poll(() => read(workflowId), { timeout: 15_000 }).toMatchObject(expected);
const prompts = (server: Awaited<ReturnType<typeof giveModel>>) => server.requests.map((request) => sentTexts(request).at(-1));

describe("a workflow", () => {
  test("runs its steps one after another, with the input and earlier answers in their prompts", async () => {
    const server = await giveModel(stage, [saying("A draft of {input}"), saying("Checked"), saying("The end")]);
    const { id } = await add({
      Write: "Write about {input}",
      Check: "Check: {previous}",
      Send: "{step:Write} / {previous} / {step:None} / {other}",
    });
    await begin(id, "March");
    await ends(id, { status: "succeeded", answer: "The end", error: null });
    expect(prompts(server)).toEqual([
      "user: Write about March",
      "user: Check: A draft of {input}",
      "user: A draft of {input} / Checked /  / {other}",
    ]);
    const { steps } = await read(id);
    expect(steps).toMatchObject([{ round: 1, name: "Write", status: "succeeded" }, { name: "Check", answer: "Checked" }, { name: "Send" }]);
    expect(await rowOf(steps[0]?.runId ?? "")).toMatchObject({
      requestedBy: { id: stage.built.admin.id },
      conversationId: steps[0]?.conversationId,
    });
  });

  test("fails at once when the prompt of a step is empty, and says what to do", async () => {
    await giveModel(stage, [saying("never asked")]);
    const { id } = await add({ Write: "{input}" });
    await begin(id);
    await ends(id, { status: "failed", error: expect.stringContaining("The agent's message is empty. Send an input") });
  });

  test("runs parallel steps all at once, and answers with all of them", async () => {
    const { promise: both, resolve: open } = Promise.withResolvers<void>();
    let asked = 0;
    await giveModel(stage, (request) => {
      asked += 1;
      if (asked === 2) open();
      // Each answer waits for the other request, so one after another would never end.
      return { ...saying(sentTexts(request).at(-1)?.includes("one") ? "First" : "Second"), holdsUntil: both };
    });
    const { id } = await add({ One: "one", Two: "two" }, { kind: "parallel" });
    await begin(id);
    await ends(id, { status: "succeeded", answer: "One:\nFirst\n\nTwo:\nSecond" });
  });

  test("repeats a loop until its last answer holds the stop text, or its rounds are over", async () => {
    await giveModel(stage, [saying("no"), saying("Not yet"), saying("no"), saying("It is DONE now"), saying("x")]);
    const until = await add({ Work: "Work", Check: "{previous}?" }, { kind: "loop", maxRounds: 5, stopText: "done" });
    await begin(until.id);
    await ends(until.id, { status: "succeeded", answer: "It is DONE now" });
    expect((await read(until.id)).steps.map(({ round, name }) => `${round} ${name}`)).toEqual(["1 Work", "1 Check", "2 Work", "2 Check"]);
    const twice = await add({ Work: "Work" }, { kind: "loop", maxRounds: 2 }, "Twice");
    await begin(twice.id);
    await ends(twice.id, { status: "succeeded" });
    expect((await read(twice.id)).steps).toHaveLength(2);
  });

  test("takes each step once, whatever number of processes look at it again and again", async () => {
    await giveModel(stage, [saying("One"), saying("Two")]);
    const { id } = await add({ One: "one", Two: "two" });
    const { id: workflowRunId } = await begin(id);
    await Promise.all(Array.from({ length: 6 }, () => advanceWorkflow({ workflowRunId })));
    const [step] = await db().select().from(workflowSteps).where(eq(workflowSteps.workflowRunId, workflowRunId));
    await Promise.all(Array.from({ length: 4 }, () => startStep({ stepId: step?.id ?? "" }, { number: 1 })));
    await ends(id, { status: "succeeded", answer: "Two" });
    await advanceWorkflow({ workflowRunId });
    expect(await db().select().from(workflowSteps).where(eq(workflowSteps.workflowRunId, workflowRunId))).toHaveLength(2);
    expect(await db().select().from(runs).where(eq(runs.workspaceId, stage.built.workspace.id))).toHaveLength(2);
  });

  test("waits for a person where a step's call asks one", async () => {
    await giveModel(stage, [calling(["change", { text: "it" }]), saying("Changed")]);
    const { id } = await add({ Change: "Change it" });
    await begin(id);
    await expect.poll(async () => (await read(id)).steps[0]?.runId ?? null).not.toBeNull();
    const runId = (await read(id)).steps[0]?.runId ?? "";
    await expect.poll(async () => (await rowOf(runId)).status).toBe("waiting");
    const approval = await onlyApproval((await rowOf(runId)).turnId ?? "");
    await decideApproval(approverActor(stage), approval.id, { decision: "approve", comment: "" });
    await ends(id, { status: "succeeded", answer: "Changed" });
    expect(stage.log).toEqual(["change it"]);
  });

  test("fails with the step's own reason, and starts no further step", async () => {
    const { id } = await add({ One: "one", Two: "two" });
    await begin(id);
    await ends(id, { status: "failed", error: expect.stringContaining('The step "One" failed: "default" has no model.') });
    expect((await read(id)).steps).toHaveLength(1);
    const gone = await buildAgent(stage.built.workspace.id, { name: "gone" });
    const steps = [{ name: "One", agentId: gone.id, prompt: "one" }];
    const other = await workflows.create({
      actor: writer(),
      body: WorkflowDraft.parse({ name: "Gone", plan: { kind: "sequential", steps } }),
    });
    await db().delete(agents).where(eq(agents.id, gone.id));
    await begin(other.id);
    await ends(other.id, { status: "failed", error: expect.stringContaining("Its agent was removed") });
  });

  test("fails when whoever it acts for may not act any more", async () => {
    await giveModel(stage, [saying("Never")]);
    const { id } = await add({ One: "one" });
    await db().delete(memberships).where(eq(memberships.userId, stage.built.admin.id));
    await begin(id);
    await ends(id, { status: "failed", error: expect.stringContaining("no longer a member") });
  });
});

test("a cancellation reaches the runs of the steps", async () => {
  const { promise: never } = Promise.withResolvers<void>();
  await giveModel(stage, [{ ...saying("Never"), holdsUntil: never }]);
  const { id } = await add({ One: "one", Two: "two" });
  const run = await begin(id);
  await expect.poll(async () => (await read(id)).steps[0]?.runId ?? null).not.toBeNull();
  const runId = (await read(id)).steps[0]?.runId ?? "";
  expect(await cancelWorkflowRun(starter(), run.id)).toMatchObject({ status: "cancelled" });
  await expect.poll(async () => (await rowOf(runId)).status, { timeout: 15_000 }).toBe("cancelled");
  expect(await read(id)).toMatchObject({ status: "cancelled", steps: [{ status: "cancelled" }] });
  expect(await cancelWorkflowRun(starter(), run.id)).toMatchObject({ status: "cancelled" });
});

test("the same key starts one run, and a workflow that runs is not removed", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await giveModel(stage, [{ ...saying("Done"), holdsUntil: released }]);
  const { id } = await add({ One: "one" });
  const [one, other] = await Promise.all([begin(id, "a", "k"), begin(id, "a", "k")]);
  expect(one.id).toBe(other.id);
  await expect(workflows.remove({ actor: writer(), params: { id }, version: null })).rejects.toThrow("unfinished runs");
  release();
  await ends(id, { status: "succeeded" });
  await workflows.remove({ actor: writer(), params: { id }, version: null });
  expect((await listWorkflows(reader())).items).toEqual([]);
});

test("workflows are checked, versioned, and of one workspace", async () => {
  const made = await add({ One: "one" });
  const { name, description, plan } = made;
  await expect(add({ One: "one" })).rejects.toThrow('A workflow named "Report" exists already');
  const unknown = { ...plan, steps: [{ name: "One", agentId: newId(), prompt: "p" }] };
  await expect(
    workflows.update({ actor: writer(), params: { id: made.id }, body: { name, description, plan: unknown }, version: null }),
  ).rejects.toThrow("no such agent");
  await expect(
    workflows.update({ actor: writer(), params: { id: made.id }, body: { name, description, plan }, version: 7 }),
  ).rejects.toThrow("changed by somebody else");
  expect(
    await workflows.update({ actor: writer(), params: { id: made.id }, body: { name: "New", description, plan }, version: 1 }),
  ).toMatchObject({ name: "New", version: 2 });
  const twice = { name: "n", plan: { kind: "loop", steps: [plan.steps[0], plan.steps[0]] } };
  expect(WorkflowDraft.safeParse(twice).error?.issues[0]?.message).toBe("names of steps must differ");
  const { admin } = await buildWorkspace();
  const foreign = authorize(admin, "workflows:write");
  await expect(workflows.remove({ actor: foreign, params: { id: made.id }, version: null })).rejects.toThrow("does not exist");
  await expect(startWorkflow(authorize(admin, "turns:write"), made.id, { input: "", idempotencyKey: null })).rejects.toThrow(
    "does not exist",
  );
  const bound = authorize(stage.built.agentKey, "turns:write");
  await expect(startWorkflow(bound, made.id, { input: "", idempotencyKey: null })).rejects.toThrow("bound to one agent");
});

test("a key that is bound to one agent does not read prompts and answers of another", async () => {
  await giveModel(stage, [saying("An answer")]);
  const own = await add({ One: "secret of one" });
  await begin(own.id);
  await ends(own.id, { status: "succeeded" });
  const other = await buildAgent(stage.built.workspace.id, { name: "other" });
  const bound = authorize({ ...stage.built.agentKey, agentId: other.id }, "turns:read");
  expect((await listWorkflows(bound)).items).toEqual([]);
  await expect(listWorkflowRuns(bound, own.id)).rejects.toThrow("does not exist");
  const ofItsAgent = authorize(stage.built.agentKey, "turns:read");
  expect((await listWorkflows(ofItsAgent)).items).toMatchObject([{ id: own.id }]);

  // The run keeps the plan of its start, whoever has the steps now.
  const steps = [{ name: "One", agentId: other.id, prompt: "new" }];
  await workflows.update({
    actor: writer(),
    params: { id: own.id },
    body: { name: own.name, description: "", plan: { ...own.plan, steps } },
    version: null,
  });
  expect((await listWorkflows(bound)).items).toMatchObject([{ id: own.id }]);
  expect((await listWorkflowRuns(bound, own.id)).items).toEqual([]);
  await expect(listWorkflowRuns(ofItsAgent, own.id)).rejects.toThrow("does not exist");
  await workflows.remove({ actor: writer(), params: { id: own.id }, version: null });
});

test("an agent starts a workflow by its name, three deep at the most", async () => {
  await giveModel(stage, [saying("Done")]);
  const { id } = await add({ One: "{input}" });
  const ask = (conversationId: string, name: string) => {
    const scope = { workspaceId: stage.built.workspace.id, conversationId, callId: newId(), actor: stage.built.admin };
    return runTool(startWorkflowTool, { name, input: "x" }, { workflows: workflowsOfCall.create(scope as unknown as CallScope) });
  };
  await expect(ask(stage.conversationId, "Other")).rejects.toThrow("Available workflows: Report.");
  let conversationId = stage.conversationId;
  for (let depth = 1; depth <= 3; depth += 1) {
    expect(await ask(conversationId, "Report")).toMatch(/^Started the workflow Report\. workflow_run_id=/);
    const place = depth;
    await expect.poll(async () => (await listWorkflowRuns(reader(), id)).items.length).toBe(place);
    await ends(id, { status: "succeeded" });
    conversationId = (await read(id)).steps[0]?.conversationId ?? "";
  }
  await expect(ask(conversationId, "Report")).rejects.toThrow("3 deep at the most");
});
