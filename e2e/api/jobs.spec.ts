import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { jobEndpoints } from "@/contracts/calls/jobs";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { toolEndpoints } from "@/contracts/tools/tools";
import { type Turn, turnEndpoints } from "@/contracts/turns/turns";
import type { Caller } from "../caller";
import { askBefore, expect, readProblem, test } from "../fixtures";

askBefore("shell_execute");

const open = async (agent: Caller) => (await agent.call(conversationEndpoints.create, { body: {} })).id;

function submit(agent: Caller, conversationId: string, name: string, args: Record<string, unknown>, wait = 20): Promise<Turn> {
  const calls = [{ id: "call", name, arguments: args as never }];
  return agent.call(turnEndpoints.submit, { params: { id: conversationId }, body: { calls, wait } });
}

const firstCall = (turn: Turn) => {
  const [call] = turn.calls;
  if (!call) throw new Error("the turn has no call");
  return call;
};

test("an approved command in the background answers at once, and its result comes with the next turn, once", async ({ api }) => {
  const conversation = await open(api.agent);
  const asked = await submit(api.agent, conversation, "shell_execute", { command: "echo from the background", runInBackground: true });
  expect(asked.status).toBe("suspended");
  const poll = api.agent.call(turnEndpoints.get, { params: { id: asked.id }, query: { wait: 30 } });
  const approval = { params: { id: firstCall(asked).approvalId ?? "" } };
  expect((await api.approver.call(approvalEndpoints.get, approval)).arguments).not.toHaveProperty("runInBackground");
  await api.approver.call(approvalEndpoints.decide, { ...approval, body: { decision: "approve" } });
  const placed = firstCall(await poll);
  expect(placed).toMatchObject({ status: "succeeded", jobId: expect.any(String) });
  expect(placed.content).not.toContain("from the background");

  const job = await api.agent.call(jobEndpoints.get, { params: { id: placed.jobId ?? "" }, query: { wait: 30 } });
  expect(job).toMatchObject({ status: "succeeded", content: expect.stringContaining("from the background") });
  const next = await submit(api.agent, conversation, "date_time", {});
  expect(next.finishedJobs).toEqual([expect.objectContaining({ jobId: job.id, content: expect.stringContaining("from the background") })]);
  expect((await submit(api.agent, conversation, "date_time", {})).finishedJobs).toBeUndefined();
  const { items } = await api.agent.call(jobEndpoints.list, { query: { conversationId: conversation } });
  expect(items.map(({ id }) => id)).toEqual([job.id]);
});

test("a job that runs can be stopped, and one that has ended stays as it is", async ({ api }) => {
  const conversation = await open(api.agent);
  const asked = await submit(api.agent, conversation, "shell_execute", { command: "sleep 30", runInBackground: true });
  const poll = api.agent.call(turnEndpoints.get, { params: { id: asked.id }, query: { wait: 30 } });
  await api.approver.call(approvalEndpoints.decide, { params: { id: firstCall(asked).approvalId ?? "" }, body: { decision: "approve" } });
  const params = { id: firstCall(await poll).jobId ?? "" };
  expect(await api.agent.call(jobEndpoints.cancel, { params })).toMatchObject({ status: "cancelled" });
  expect(await api.agent.call(jobEndpoints.cancel, { params })).toMatchObject({ status: "cancelled" });
  expect(await readProblem(await api.approver.send(jobEndpoints.cancel, { params }))).toMatchObject({ status: 403, code: "forbidden" });
});

test("a tool asks in the middle of its work, and goes on with the answer that comes through the API", async ({ api }) => {
  const conversation = await open(api.agent);
  await submit(api.agent, conversation, "enable_tool", { toolName: "ask_user" });
  const asked = await submit(api.agent, conversation, "ask_user", { question: "Which colour?", options: ["red", "blue"] }, 0.2);
  expect(asked.status).toBe("running");
  const params = { id: asked.id, callId: firstCall(asked).callId };
  const poll = api.agent.call(turnEndpoints.get, { params: { id: asked.id }, query: { wait: 30 } });
  expect(await readProblem(await api.agent.send(turnEndpoints.answer, { params, body: { question: 7, text: "red" } }))).toMatchObject({
    status: 409,
    code: "conflict",
  });
  await expect
    .poll(async () => (await api.admin.send(turnEndpoints.answer, { params, body: { question: 0, text: "blue" } })).status)
    .toBe(200);
  expect(firstCall(await poll)).toMatchObject({ status: "succeeded", content: "The user answered: blue" });
  expect(await readProblem(await api.admin.send(turnEndpoints.answer, { params, body: { question: 0, text: "red" } }))).toMatchObject({
    status: 409,
    code: "conflict",
  });
});

test("a running command is moved to the background: the turn goes on and nothing starts again", async ({ api }) => {
  const conversation = await open(api.agent);
  const asked = await submit(api.agent, conversation, "shell_execute", { command: "echo once >> started.txt; sleep 2; cat started.txt" });
  await api.approver.call(approvalEndpoints.decide, { params: { id: firstCall(asked).approvalId ?? "" }, body: { decision: "approve" } });
  const params = { id: asked.id, callId: firstCall(asked).callId };
  await expect.poll(async () => (await api.admin.send(turnEndpoints.promote, { params })).status).toBe(200);
  const moved = firstCall(await api.agent.call(turnEndpoints.get, { params: { id: asked.id }, query: { wait: 20 } }));
  expect(moved).toMatchObject({ status: "succeeded", jobId: expect.any(String) });
  const job = await api.agent.call(jobEndpoints.get, { params: { id: moved.jobId ?? "" }, query: { wait: 30 } });
  expect(job).toMatchObject({ status: "succeeded", promoted: true });
  expect(job.content.match(/once/g)).toHaveLength(1);
  expect(await readProblem(await api.admin.send(turnEndpoints.promote, { params }))).toMatchObject({ status: 409, code: "conflict" });
});

test("a tool that returns directly shows its result to the user, and a placeholder to the model", async ({ api }) => {
  const tool = { params: { id: "search_files" } };
  await api.admin.call(toolEndpoints.update, { ...tool, body: { returnDirect: true } });
  try {
    const call = firstCall(await submit(api.agent, await open(api.agent), "search_files", { query: "*.nothing" }));
    expect(call).toMatchObject({ status: "succeeded", directContent: expect.any(String) });
    expect(call.content).not.toBe(call.directContent);
  } finally {
    await api.admin.call(toolEndpoints.update, { ...tool, body: { returnDirect: false } });
  }
});
