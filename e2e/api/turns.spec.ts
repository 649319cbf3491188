import { randomUUID } from "node:crypto";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { auditEndpoints } from "@/contracts/audit/audit";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { guardEndpoints } from "@/contracts/guard/guard";
import { artifactEndpoints } from "@/contracts/turns/artifacts";
import { type Turn, turnEndpoints } from "@/contracts/turns/turns";
import { buildPath, type Caller } from "../caller";
import { askBefore, expect, readProblem, test } from "../fixtures";

askBefore("write_file", "shell_execute");

type Calls = [name: string, args?: Record<string, unknown> | string][];

async function open(agent: Caller): Promise<string> {
  return (await agent.call(conversationEndpoints.create, { body: {} })).id;
}

const bodyOf = (calls: Calls, wait = 20) => ({
  calls: calls.map(([name, args = {}], index) => ({ id: `call-${index}`, name, arguments: args as never })),
  wait,
});

async function submit(agent: Caller, conversationId: string, calls: Calls, wait?: number): Promise<Turn> {
  return agent.call(turnEndpoints.submit, { params: { id: conversationId }, body: bodyOf(calls, wait) });
}

const questionOf = (turn: Turn) => turn.calls.find(({ status }) => status === "awaiting_approval")?.approvalId ?? "";
const outcomes = (turn: Turn) => turn.calls.map(({ status }) => status);

test("reads run at once and their results come back in the order of the calls", async ({ api }) => {
  const conversation = await open(api.agent);
  const response = await api.agent.send(turnEndpoints.submit, {
    params: { id: conversation },
    body: bodyOf([
      ["date_time", { timezone: "Asia/Tokyo" }],
      ["search_files", { query: "nothing" }],
    ]),
  });
  expect(response.status).toBe(200);
  const turn = (await response.json()) as Turn;
  expect(turn.status).toBe("completed");
  expect(outcomes(turn)).toEqual(["succeeded", "succeeded"]);
  expect(turn.calls[0]?.content).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
});

test("a call that asks suspends the turn; approving it lets a waiting long poll answer with everything", async ({ api }) => {
  const conversation = await open(api.agent);
  const response = await api.agent.send(turnEndpoints.submit, {
    params: { id: conversation },
    body: bodyOf([["date_time"], ["write_file", { path: "a.txt", content: "written" }], ["read_file", { path: "a.txt" }]]),
  });
  expect(response.status).toBe(202);
  const asked = (await response.json()) as Turn;
  expect(response.headers.get("location")).toBe(`/api/v1/turns/${asked.id}`);
  expect(asked.status).toBe("suspended");
  expect(outcomes(asked)).toEqual(["succeeded", "awaiting_approval", "pending"]);

  const poll = api.agent.call(turnEndpoints.get, { params: { id: asked.id }, query: { wait: 30 } });
  const approval = await api.approver.call(approvalEndpoints.get, { params: { id: questionOf(asked) } });
  expect(approval).toMatchObject({ status: "pending", tool: { name: "write_file" }, arguments: { path: "a.txt", content: "written" } });
  await api.approver.call(approvalEndpoints.decide, { params: { id: approval.id }, body: { decision: "approve", comment: "fine" } });
  const done = await poll;
  expect(done.status).toBe("completed");
  expect(outcomes(done)).toEqual(["succeeded", "succeeded", "succeeded"]);
  expect(done.calls[2]?.content).toContain("written");
});

test("a rejection reaches the model with the person's words", async ({ api }) => {
  const asked = await submit(api.agent, await open(api.agent), [["write_file", { path: "a.txt", content: "x" }], ["date_time"]]);
  const poll = api.agent.call(turnEndpoints.get, { params: { id: asked.id }, query: { wait: 30 } });
  const body = { decision: "reject" as const, comment: "use another folder" };
  await api.approver.call(approvalEndpoints.decide, { params: { id: questionOf(asked) }, body });
  const done = await poll;
  expect(outcomes(done)).toEqual(["rejected", "succeeded"]);
  expect(done.calls[0]).toMatchObject({ isError: true, content: expect.stringContaining("use another folder") });
});

test("of two decisions at once one is taken and the other is told who was faster", async ({ api }) => {
  const asked = await submit(api.agent, await open(api.agent), [["write_file", { path: "once.txt", content: "1\n", mode: "append" }]]);
  const poll = api.agent.call(turnEndpoints.get, { params: { id: asked.id }, query: { wait: 30 } });
  const decide = (who: Caller) => who.send(approvalEndpoints.decide, { params: { id: questionOf(asked) }, body: { decision: "approve" } });
  const answers = await Promise.all([decide(api.approver), decide(api.admin)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  for (const answer of answers.filter(({ status }) => status === 409)) {
    expect(await readProblem(answer)).toMatchObject({ code: "already_decided", detail: expect.stringMatching(/approved by .+ at \d{4}-/) });
  }
  expect((await poll).status).toBe("completed");
  const read = await submit(api.agent, asked.conversationId, [["read_file", { path: "once.txt" }]]);
  expect(read.calls[0]?.content.match(/^\d+\t1$/gm)).toHaveLength(1);
});

test("an agent key can neither read nor decide approvals", async ({ api }) => {
  const asked = await submit(api.agent, await open(api.agent), [["write_file", { path: "a.txt", content: "x" }]]);
  const params = { id: questionOf(asked) };
  expect(await api.agent.refusal(approvalEndpoints.decide, { params, body: { decision: "approve" } })).toMatchObject({ status: 403 });
  expect(await api.viewer.refusal(approvalEndpoints.decide, { params, body: { decision: "approve" } })).toMatchObject({ status: 403 });
  expect(await api.stranger.refusal(approvalEndpoints.decide, { params, body: { decision: "approve" } })).toMatchObject({ status: 404 });
});

test("bad calls are results that say what to send, and their neighbours still run", async ({ api }) => {
  const turn = await submit(api.agent, await open(api.agent), [
    ["no_such_tool"],
    ["read_file", {}],
    ["read_file", '{"path": "cut'],
    ["read_file", { path: "../../../etc/passwd" }],
    ["read_file", { path: "missing.txt" }],
    ["date_time", { timezone: "Moon/Base" }],
    ["date_time", JSON.parse('{"timezone":"UTC","__proto__":{"a":1}}')],
    ["date_time"],
  ]);
  expect(turn.status).toBe("completed");
  expect(outcomes(turn)).toEqual(["failed", "failed", "failed", "denied", "failed", "failed", "failed", "succeeded"]);
  expect(turn.calls[0]?.content).toContain("no_such_tool");
  expect(turn.calls[1]?.content).toContain("missing required param: path");
  expect(turn.calls[2]?.content).toContain("JSON");
  expect(turn.calls[6]?.content).toContain("__proto__");
  for (const call of turn.calls.slice(0, 7)) expect(call.content, call.requestedName).not.toMatch(/\bat .+\.[cm]?[jt]sx?:\d+|ENOENT/);
});

test("a binary file is refused with a hint, and a link cannot lead out of the workspace, whatever detectors allow", async ({ api }) => {
  const off = { enabled: false };
  await api.admin.call(guardEndpoints.updateConfig, { body: { detectors: { "workspace.escape": off, "file.sensitive": off } } });
  try {
    const conversation = await open(api.agent);
    const asked = await submit(api.agent, conversation, [
      ["shell_execute", { command: "printf '\\000\\001\\002' > data.bin; ln -s /etc/passwd link; ln -s / root" }],
      ["read_file", { path: "data.bin" }],
      ["read_file", { path: "link" }],
      ["read_file", { path: "root/etc/passwd" }],
    ]);
    const poll = api.agent.call(turnEndpoints.get, { params: { id: asked.id }, query: { wait: 30 } });
    await api.approver.call(approvalEndpoints.decide, { params: { id: questionOf(asked) }, body: { decision: "approve" } });
    const done = await poll;
    expect(outcomes(done)).toEqual(["succeeded", "failed", "failed", "failed"]);
    for (const call of done.calls.slice(1)) expect(call.content).not.toContain("root:");
  } finally {
    await api.admin.call(guardEndpoints.updateConfig, { body: { detectors: {} } });
  }
});

test("a shell call answers its exit code and both streams as plain text", async ({ api }) => {
  const asked = await submit(api.agent, await open(api.agent), [["bash", { cmd: "echo out; echo err >&2; exit 3" }]]);
  const poll = api.agent.call(turnEndpoints.get, { params: { id: asked.id }, query: { wait: 30 } });
  await api.approver.call(approvalEndpoints.decide, { params: { id: questionOf(asked) }, body: { decision: "approve" } });
  const [call] = (await poll).calls;
  expect(call?.name).toBe("shell_execute");
  expect(call).toMatchObject({ status: "failed", isError: true, content: "exit code 3\nout\n[stderr]\nerr\n" });
});

test("some things never run, approved or not", async ({ api }) => {
  const turn = await submit(api.agent, await open(api.agent), [
    ["shell_execute", { command: "rm -rf /" }],
    ["shell_execute", { command: "sudo reboot" }],
  ]);
  expect(outcomes(turn)).toEqual(["denied", "denied"]);
  expect(turn.calls[0]?.decision?.findings[0]?.detector).toMatch(/^floor\./);
});

test("the same Idempotency-Key twenty times at once is one turn; with other calls it is a conflict", async ({ api }) => {
  const conversation = await open(api.agent);
  const headers = { "idempotency-key": randomUUID() };
  const params = { id: conversation };
  const send = () => api.agent.send(turnEndpoints.submit, { params, body: bodyOf([["date_time"]]) }, { headers });
  const turns = await Promise.all(Array.from({ length: 20 }, async () => (await (await send()).json()) as Turn));
  expect(new Set(turns.map(({ id }) => id)).size).toBe(1);
  const { items } = await api.agent.call(turnEndpoints.listOfConversation, { params });
  expect(items).toHaveLength(1);
  const other = await api.agent.refusal(turnEndpoints.submit, { params, body: bodyOf([["search_files", { query: "x" }]]) }, { headers });
  expect(other).toMatchObject({ status: 409, code: "idempotency_mismatch" });
  const bad = { headers: { "idempotency-key": "a b" } };
  expect(await api.agent.refusal(turnEndpoints.submit, { params, body: bodyOf([["date_time"]]) }, bad)).toMatchObject({ status: 400 });
});

test("a suspended turn is cancelled with its question", async ({ api }) => {
  const asked = await submit(api.agent, await open(api.agent), [["write_file", { path: "a", content: "" }], ["date_time"]]);
  const cancelled = await api.agent.call(turnEndpoints.cancel, { params: { id: asked.id } });
  expect(cancelled.status).toBe("cancelled");
  expect(outcomes(cancelled)).toEqual(["cancelled", "cancelled"]);
  const late = await api.approver.refusal(approvalEndpoints.decide, { params: { id: questionOf(asked) }, body: { decision: "approve" } });
  expect(late).toMatchObject({ status: 409, code: "already_decided" });
});

test("a running command is killed with its turn", async ({ api }) => {
  const conversation = await open(api.agent);
  const asked = await submit(api.agent, conversation, [["shell_execute", { command: "echo $$ > pid; exec sleep 250" }]]);
  const stream = await api.agent.fetch(buildPath(turnEndpoints.events.path, { params: { id: asked.id } }));
  await api.approver.call(approvalEndpoints.decide, { params: { id: questionOf(asked) }, body: { decision: "approve" } });
  await readUntil(stream, "call.started");
  const cancelled = await api.agent.call(turnEndpoints.cancel, { params: { id: asked.id } });
  expect(cancelled).toMatchObject({ status: "cancelled" });
  expect(outcomes(cancelled)).toEqual(["cancelled"]);
});

test("the event stream tells the story of a turn in order, and Last-Event-ID resumes it", async ({ api }) => {
  const asked = await submit(api.agent, await open(api.agent), [["date_time"], ["write_file", { path: "a", content: "" }]]);
  const path = buildPath(turnEndpoints.events.path, { params: { id: asked.id } });
  const live = await api.agent.fetch(path);
  expect(live.headers.get("content-type")).toContain("text/event-stream");
  await api.approver.call(approvalEndpoints.decide, { params: { id: questionOf(asked) }, body: { decision: "approve" } });
  const events = await readUntil(live, "turn.finished");
  expect(events.map(({ event }) => event)).toEqual([
    "turn.started",
    "call.started",
    "call.finished",
    "approval.requested",
    "turn.suspended",
    "approval.decided",
    "turn.resumed",
    "call.started",
    "call.finished",
    "turn.finished",
  ]);
  const resumed = await readUntil(await api.agent.fetch(path, { headers: { "last-event-id": events[6]?.id ?? "" } }), "turn.finished");
  expect(resumed).toEqual(events.slice(7));
});

test("a result too long for the model is kept whole as an artifact that only its owners can fetch", async ({ api }) => {
  const conversation = await open(api.agent);
  const asked = await submit(api.agent, conversation, [["shell_execute", { command: "seq 1 3000" }]]);
  const poll = api.agent.call(turnEndpoints.get, { params: { id: asked.id }, query: { wait: 30 } });
  await api.approver.call(approvalEndpoints.decide, { params: { id: questionOf(asked) }, body: { decision: "approve" } });
  const [call] = (await poll).calls;
  expect(call?.content.length).toBeLessThanOrEqual(8_000);
  const params = { id: call?.truncated?.artifactId ?? "" };
  const file = await api.agent.send(artifactEndpoints.get, { params });
  expect(file.headers.get("content-disposition")).toContain("attachment");
  expect((await file.text()).length).toBe(call?.truncated?.originalChars);
  const page = await submit(api.agent, conversation, [["read_artifact", { id: params.id, startLine: 1_500, maxLines: 2 }]]);
  expect(page.calls[0]?.content).toContain("\n1500\t1499\n1501\t1500\n");
  const elsewhere = await submit(api.agent, await open(api.agent), [["read_artifact", { id: params.id }]]);
  expect(elsewhere.calls[0]).toMatchObject({ isError: true, content: expect.stringContaining("no artifact") });
  expect(await api.stranger.refusal(artifactEndpoints.get, { params })).toMatchObject({ status: 404 });
});

test("every call and every answer stands in the audit, with secrets masked", async ({ api }) => {
  const conversation = await open(api.agent);
  const secret = `ghp_${"a1".repeat(18)}`;
  const asked = await submit(api.agent, conversation, [["write_file", { path: "a.txt", content: `token ${secret}` }]]);
  const poll = api.agent.call(turnEndpoints.get, { params: { id: asked.id }, query: { wait: 30 } });
  await api.approver.call(approvalEndpoints.decide, { params: { id: questionOf(asked) }, body: { decision: "approve" } });
  await poll;
  const { items } = await api.viewer.call(auditEndpoints.list, { query: { conversationId: conversation } });
  expect(items.map(({ event }) => event)).toEqual([
    "call.succeeded",
    "call.started",
    "approval.approved",
    "approval.requested",
    "conversation.created",
  ]);
  expect(JSON.stringify(items)).not.toContain(secret);
});

test("a deleted conversation is gone with its turns, and its questions with it", async ({ api }) => {
  const asked = await submit(api.agent, await open(api.agent), [["write_file", { path: "a", content: "" }]]);
  await api.agent.call(conversationEndpoints.remove, { params: { id: asked.conversationId } });
  expect(await api.agent.refusal(turnEndpoints.get, { params: { id: asked.id } })).toMatchObject({ status: 404 });
  expect(await api.approver.refusal(approvalEndpoints.get, { params: { id: questionOf(asked) } })).toMatchObject({ status: 404 });
});

type Streamed = { id: string | null; event: string; data: unknown };

/** Events of a stream up to and with the first of that name. */
async function readUntil(response: Response, last: string): Promise<Streamed[]> {
  const events: Streamed[] = [];
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string) =>
        block
          .split("\n")
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2) ?? null;
      const event = field("event");
      if (!event || event === "call.progress") continue;
      events.push({ id: field("id"), event, data: JSON.parse(field("data") ?? "null") });
      if (event === last) return events;
    }
  }
  throw new Error(`The stream ended before ${last}: ${events.map(({ event }) => event).join(", ")}`);
}
