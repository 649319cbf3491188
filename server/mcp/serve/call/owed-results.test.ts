import type { ContentBlock } from "@modelcontextprotocol/client";
import { and, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { approvals, turns } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { db } from "@/server/platform/database/database";
import { processWide } from "@/server/platform/process-wide";
import { buildMcpKey, connectSession, requestMcp, sendStateless } from "@/server/testing/mcp/mcp-clients";
import { approverActor, useStage } from "@/server/testing/stage";

const stage = useStage();
let key: string;
beforeEach(async () => {
  key = await buildMcpKey(stage.built);
});

const change = { name: "change", arguments: { text: "it" } };
const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const textOf = (result: object) =>
  ("content" in result ? (result.content as ContentBlock[]) : []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
const asked = async () => {
  const isHere = and(eq(approvals.workspaceId, stage.built.workspace.id), eq(approvals.status, "pending"));
  return db().select().from(approvals).where(isHere);
};
const oneAsked = () =>
  vi.waitFor(async () => {
    const [approval] = await asked();
    if (!approval) throw new Error("nobody was asked");
    return approval;
  });
const approve = async () => decideApproval(approverActor(stage), (await oneAsked()).id, { decision: "approve", comment: "" });
/** Calls that this process answers now. */
const answering = () => processWide("mcp.runningCalls", () => new Map()).size;

/** Asks as a client with tasks, which is answered after half a second. */
const ask = (method: string, params: { name?: string; taskId?: string; arguments?: object }, init?: RequestInit, as = key) =>
  sendStateless(as, method, params, tasks, init);

test("a cancelled task's call runs anew when it is sent again", async () => {
  const { result: first } = await ask("tools/call", change);
  await ask("tasks/cancel", { taskId: first.taskId });
  const { result: second } = await ask("tools/call", change);
  expect(second).toMatchObject({ resultType: "task", status: "working" });
  expect(second.taskId).not.toBe(first.taskId);
});

test("a call that needs approval is answered at once, whether or not its client opens addresses", async () => {
  const { client } = await connectSession(key);
  const startedAt = performance.now();
  const answer = await client.callTool(change);
  expect(performance.now() - startedAt).toBeLessThan(2_500);
  expect(textOf(answer)).toContain(`change has not run yet because a person has to approve it first`);
  expect(textOf(answer)).toContain(`approval=${(await oneAsked()).id}`);
  await client.close();
});

test("a repeated call that is cancelled while a person is asked withdraws the call, which runs anew when it is sent again", async () => {
  const { client } = await connectSession(key);
  await client.callTool(change);
  const first = await oneAsked();
  const gone = new AbortController();
  const calling = client.callTool(change, undefined, { signal: gone.signal }).catch(() => {});
  await vi.waitFor(() => expect(answering()).toBe(1));
  gone.abort("the user pressed Escape");
  await calling;
  await vi.waitFor(async () => expect(await asked()).toEqual([]));
  await client.callTool(change);
  expect((await oneAsked()).id).not.toBe(first.id);
  await approve();
  expect(textOf(await client.callTool(change))).toBe("changed it");
  await client.close();
});

test("a repeated call whose connection breaks leaves the approval as it was", async () => {
  await ask("tools/call", change);
  const { id } = await oneAsked();
  const gone = new AbortController();
  const repeated = ask("tools/call", change, { signal: gone.signal }).catch(() => {});
  await vi.waitFor(() => expect(answering()).toBe(1));
  gone.abort();
  await repeated;
  await vi.waitFor(() => expect(answering()).toBe(0));
  expect((await oneAsked()).id).toBe(id);
  await approve();
  expect(textOf((await ask("tools/call", change)).result)).toBe("changed it");
  expect(stage.log).toEqual(["change it"]);
});

test("a call belongs to its key: another key of the agent can neither read nor cancel it, nor receive its result", async () => {
  const other = await buildMcpKey(stage.built, "other");
  const { result: task } = await ask("tools/call", change);
  const { taskId } = task;
  const headers = { "handrail-conversation": String(task._meta["handrail/conversation"]) };
  const asOther = (method: string, params: Parameters<typeof ask>[1]) => ask(method, params, { headers }, other);
  const unknown = { error: { code: -32602, message: expect.stringContaining("no task with this id") } };
  expect(await asOther("tasks/get", { taskId })).toMatchObject(unknown);
  expect(await asOther("tasks/cancel", { taskId })).toMatchObject(unknown);
  const { id } = await oneAsked();
  await approve();
  await vi.waitFor(() => expect(stage.log).toEqual(["change it"]));
  expect((await asOther("tools/call", { name: "get_result", arguments: { id: taskId } })).result).toMatchObject({ isError: true });
  expect((await asOther("tools/call", { name: "get_result", arguments: {} })).result).toMatchObject({ isError: true });
  const { result: own } = await asOther("tools/call", change);
  expect(own).toMatchObject({ status: "working" });
  expect(own.taskId).not.toBe(taskId);
  expect((await oneAsked()).id).not.toBe(id);
  expect(textOf((await ask("tools/call", change)).result)).toBe("changed it");
});

test("a stream that opens after the decision still tells the session of it", async () => {
  const { client, transport } = await connectSession(key, { capabilities: { elicitation: { url: {} } } });
  await client.callTool(change).catch(() => {});
  const { id } = await oneAsked();
  await approve();
  await vi.waitFor(() => expect(stage.log).toEqual(["change it"]));
  const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream", "mcp-session-id": transport.sessionId ?? "" };
  const stream = await requestMcp("http://localhost:3000/mcp", { headers });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let heard = "";
  while (!heard.includes("notifications/elicitation/complete")) heard += (await reader?.read())?.value ?? "";
  expect(heard).toContain(id);
  await reader?.cancel();
  expect(textOf(await client.callTool(change))).toBe("changed it");
  await client.close();
});

test("an owed result that is older than a minute says when its call ended, and the next call runs anew", async () => {
  const { result: task } = await ask("tools/call", change);
  await approve();
  const ended = eq(turns.id, task.taskId);
  await vi.waitFor(async () => expect((await db().select().from(turns).where(ended))[0]?.status).toBe("completed"));
  await db().update(turns).set({ finishedAt: sql`now() - interval '2 days'` }).where(ended);
  const [row] = await db().select().from(turns).where(ended);
  const answer = textOf((await ask("tools/call", change)).result);
  expect(answer).toContain("changed it\nThis is the result of the same call that ended at ");
  expect(answer).toContain(row?.finishedAt?.toISOString());
  expect((await ask("tools/call", change)).result).toMatchObject({ status: "working" });
  expect(stage.log).toEqual(["change it"]);
});
