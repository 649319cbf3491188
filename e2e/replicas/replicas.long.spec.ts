import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expect, test } from "@playwright/test";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { auditEndpoints } from "@/contracts/audit/audit";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { guardEndpoints } from "@/contracts/guard/guard";
import { mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { type Turn, turnEndpoints } from "@/contracts/turns/turns";
import { buildPath } from "../caller";
import { type Cluster, startCluster } from "./cluster";
import { type CountingServer, startCountingServer } from "./counting-server";
import { readEvents } from "./event-reader";
import type { Replica } from "./replica";
import { servedByHeader } from "./round-robin";

test.describe.configure({ mode: "serial" });

let cluster: Cluster;
let counter: CountingServer;
let web: [Replica, Replica];

test.beforeAll(async () => {
  test.setTimeout(300_000);
  counter = await startCountingServer();
  cluster = await startCluster({ name: "replicas", roles: ["web", "web", "worker", "worker"] });
  const [first, second] = cluster.replicas;
  if (!first || !second) throw new Error("there are no replicas");
  web = [first, second];
  const { admin } = cluster;
  await admin.call(guardEndpoints.updateConfig, { body: { defaultPolicy: "allow" } });
  await admin.call(guardEndpoints.createRule, {
    body: { name: "Asked", tool: "write_file", parameter: "path", pattern: "^asked", verdict: "require_approval", priority: 900 },
  });
});
test.afterAll(async () => {
  await cluster?.stop();
  counter?.stop();
});

const newConversation = async () => (await cluster.agent.call(conversationEndpoints.create, { body: {} })).id;

type GivenCall = { name: string; arguments: Record<string, string | number> };
const callsOf = (given: GivenCall[]) => given.map((call, place) => ({ id: String(place + 1), ...call }));

/** Submits without waiting, at one replica. */
const submitAt = (replica: Replica, conversationId: string, ...given: GivenCall[]): Promise<Turn> =>
  cluster.agentAt(replica).call(turnEndpoints.submit, { params: { id: conversationId }, body: { calls: callsOf(given), wait: 0 } });

const shell = (command: string): GivenCall => ({ name: "shell_execute", arguments: { command } });
const append = (file: string, line: string): GivenCall => ({
  name: "write_file",
  arguments: { path: file, content: `${line}\n`, mode: "append" },
});
const lookAt = (replica: Replica, id: string, wait = 0) =>
  cluster.agentAt(replica).call(turnEndpoints.get, { params: { id }, query: { wait } });
const linesOf = async (conversationId: string, file: string) =>
  (await readFile(path.join(cluster.folderOf(conversationId), file), "utf8").catch(() => "")).split("\n").filter(Boolean);
const statusesOf = ({ calls }: Turn) => calls.map(({ status }) => status);

test("a turn submitted at one replica is polled at another, decided at a third and goes on at a fourth", async () => {
  const third = await cluster.add("web");
  const conversationId = await newConversation();
  const asked = await submitAt(web[0], conversationId, append("asked.txt", "once"));
  await expect.poll(async () => (await lookAt(web[1], asked.id)).status).toBe("suspended");
  const polling = lookAt(web[1], asked.id, 30);
  const approvalId = (await lookAt(third, asked.id)).calls[0]?.approvalId ?? "";
  await cluster.adminAt(third).call(approvalEndpoints.decide, { params: { id: approvalId }, body: { decision: "approve" } });
  const done = await polling;
  expect(statusesOf(done)).toEqual(["succeeded"]);
  expect(await linesOf(conversationId, "asked.txt")).toEqual(["once"]);
  const [starter] = await cluster.sql<{ role: string; pid: number }[]>`
    select role, pid from replicas join tool_calls on boot_id = started_by where turn_id = ${asked.id}`;
  expect(starter?.role).toBe("worker");
  const { items } = await cluster.admin.call(auditEndpoints.list, { query: { event: "replica.started" } });
  expect(items.map(({ data }) => data.pid)).toEqual(expect.arrayContaining(cluster.replicas.map(({ pid }) => pid())));
  expect(await third.stop()).toBe(0);
});

test("an MCP client's approved call runs and is answered after the replica that asked was killed", async () => {
  let replica = web[0];
  const client = new Client({ name: "journey", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", replica.url), {
    requestInit: { headers: { authorization: `Bearer ${cluster.agent.token}` } },
    fetch: (_url, init) => fetch(new URL("/mcp", replica.url), init),
  });
  await client.connect(transport as Transport);
  const asked = await client.callTool({ name: "write_file", arguments: { path: "asked-mcp.txt", content: "once\n", mode: "append" } });
  const { "handrail/approval": approvalId, "handrail/turn": turnId, "handrail/conversation": conversationId } = asked._meta ?? {};
  await replica.kill();
  replica = web[1];
  const params = { id: String(approvalId) };
  await cluster.adminAt(replica).call(approvalEndpoints.decide, { params, body: { decision: "approve" } });
  const result = await client.callTool({ name: "get_result", arguments: { id: String(turnId) } });
  expect(JSON.stringify(result.content)).toContain("asked-mcp.txt");
  expect(await linesOf(String(conversationId), "asked-mcp.txt")).toEqual(["once"]);
  expect((await client.listTools()).tools.length).toBeGreaterThan(2);
  await client.close();
  await web[0].start();
});

test("whoever asks through the proxy meets another replica each time, and no session sticks", async () => {
  const conversationId = await newConversation();
  const { id } = await submitAt(web[0], conversationId, { name: "date_time", arguments: {} });
  const doors = new Set<string | null>();
  for (let round = 0; round < 4; round++) {
    const response = await cluster.agent.fetch(buildPath(turnEndpoints.get.path, { params: { id } }));
    expect(response.status).toBe(200);
    doors.add(response.headers.get(servedByHeader));
  }
  expect(doors.size).toBe(2);
});

test("a stream at another replica than the one that runs the turn gets every event in order and once, and resumes at a third", async () => {
  const conversationId = await newConversation();
  const given = [shell("sleep 0.3"), append("a.txt", "1"), shell("sleep 0.3"), append("a.txt", "2"), shell("sleep 0.3")];
  const { id } = await submitAt(web[0], conversationId, ...given);
  const polling = lookAt(web[1], id, 30);
  const beginning = await readEvents(cluster.agentAt(web[1]), id, {
    enough: (events) => events.filter(({ event }) => event === "call.finished").length >= 2,
  });
  const [rest, whole, watched] = await Promise.all([
    readEvents(cluster.agentAt(web[0]), id, { after: beginning.at(-1)?.id ?? 0 }),
    readEvents(cluster.agentAt(web[1]), id),
    readEvents(cluster.agentAt(web[0]), id),
  ]);
  expect([...beginning, ...rest]).toEqual(whole);
  expect(watched).toEqual(whole);
  expect(whole.map((event) => event.id)).toEqual(whole.map((_, place) => place + 1));
  const named = ({ event, data }: (typeof whole)[number]) => `${event} ${data.id ?? ""}`.trim();
  const perCall = given.flatMap((_, place) => [`call.started ${place + 1}`, `call.finished ${place + 1}`]);
  expect(whole.map(named)).toEqual(["turn.started", ...perCall, "turn.finished"]);
  expect((await polling).status).toBe("completed");
});

test("a rule that changes at one replica counts at the other a moment later", async () => {
  const conversationId = await newConversation();
  const rule = await cluster.adminAt(web[0]).call(guardEndpoints.createRule, {
    body: { name: "No such file", tool: "write_file", parameter: "path", pattern: "^forbidden", verdict: "deny", priority: 950 },
  });
  const changedAt = performance.now();
  await expect
    .poll(
      async () => {
        const body = { calls: callsOf([append("forbidden.txt", "x")]) };
        return statusesOf(await cluster.agentAt(web[1]).call(turnEndpoints.submit, { params: { id: conversationId }, body }));
      },
      { intervals: [5] },
    )
    .toEqual(["denied"]);
  test
    .info()
    .annotations.push({ type: "measured", description: `live at the other replica after ${Math.round(performance.now() - changedAt)} ms` });
  await cluster.adminAt(web[1]).call(guardEndpoints.removeRule, { params: { id: rule.id } });
});

test("a tool enabled at one replica is called at the other at once", async () => {
  const { admin } = cluster;
  const server = await admin.call(mcpServerEndpoints.create, {
    body: { alias: "counter", transport: "streamable_http", url: counter.url, tier: "extension", trustHints: true },
  });
  await expect
    .poll(async () => (await admin.call(mcpServerEndpoints.get, { params: { id: server.id } })).status, { timeout: 30_000 })
    .toBe("connected");
  const conversationId = await newConversation();
  const book = async (replica: Replica) =>
    cluster.agentAt(replica).call(turnEndpoints.submit, {
      params: { id: conversationId },
      body: { calls: callsOf([{ name: "counter__book", arguments: { id: "enabled", ms: 0 } }]) },
    });
  expect(statusesOf(await book(web[1]))).toEqual(["failed"]);
  const enabled = await cluster.agentAt(web[0]).call(turnEndpoints.submit, {
    params: { id: conversationId },
    body: { calls: callsOf([{ name: "enable_tool", arguments: { toolName: "counter__book" } }]) },
  });
  expect(statusesOf(enabled)).toEqual(["succeeded"]);
  expect(statusesOf(await book(web[1]))).toEqual(["succeeded"]);
  expect(counter.received.book).toEqual(["enabled"]);
});

test("cancelling at one replica stops a tool that runs at another", async () => {
  const conversationId = await newConversation();
  const { id } = await submitAt(web[0], conversationId, shell("sleep 20; echo late >> late.txt"), append("late.txt", "after"));
  await expect.poll(async () => statusesOf(await lookAt(web[1], id))).toEqual(["running", "pending"]);
  const cancelled = await cluster.agentAt(web[1]).call(turnEndpoints.cancel, { params: { id } });
  expect(cancelled.status).toBe("cancelled");
  expect(statusesOf(cancelled)).toEqual(["cancelled", "cancelled"]);
  expect(await linesOf(conversationId, "late.txt")).toEqual([]);
});

test("unsafe calls of one conversation never overlap, whichever replicas their turns run at", async () => {
  const conversationId = await newConversation();
  const noted = shell("echo start >> overlap.txt; sleep 0.05; echo end >> overlap.txt");
  const submitted = Array.from({ length: 8 }, (_, turn) => submitAt(turn % 2 === 0 ? web[0] : web[1], conversationId, noted, noted));
  for (const { id } of await Promise.all(submitted)) {
    await expect.poll(async () => (await lookAt(web[0], id, 10)).status, { timeout: 30_000 }).toBe("completed");
  }
  expect(await linesOf(conversationId, "overlap.txt")).toEqual(Array.from({ length: 16 }, () => ["start", "end"]).flat());
});

test("the same Idempotency-Key twenty times at once is one turn and one execution", async () => {
  const conversationId = await newConversation();
  const key = randomUUID();
  const sent = Array.from({ length: 20 }, () =>
    cluster.agent.call(
      turnEndpoints.submit,
      { params: { id: conversationId }, body: { calls: callsOf([append("one.txt", key)]) } },
      { headers: { "idempotency-key": key } },
    ),
  );
  const turns = await Promise.all(sent);
  expect(new Set(turns.map(({ id }) => id)).size).toBe(1);
  for (const turn of turns) expect(statusesOf(turn)).toEqual(["succeeded"]);
  expect(await linesOf(conversationId, "one.txt")).toEqual([key]);
});

test("twenty decisions at once over both replicas are one answer, nineteen conflicts and one execution", async () => {
  const conversationId = await newConversation();
  const { id } = await submitAt(web[0], conversationId, append("asked-once.txt", "x"));
  await expect.poll(async () => (await lookAt(web[1], id)).status).toBe("suspended");
  const approvalId = (await lookAt(web[1], id)).calls[0]?.approvalId ?? "";
  const polling = lookAt(web[0], id, 30);
  const decisions = Array.from({ length: 20 }, () =>
    cluster.admin.send(approvalEndpoints.decide, { params: { id: approvalId }, body: { decision: "approve" } }),
  );
  const statuses = (await Promise.all(decisions)).map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  expect(statusesOf(await polling)).toEqual(["succeeded"]);
  expect(await linesOf(conversationId, "asked-once.txt")).toEqual(["x"]);
});

test("a signal that gets lost costs a waiter a poll interval, and a cancellation is noticed all the same", async () => {
  const conversationId = await newConversation();
  const cutSignals = () => cluster.sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query ilike 'listen%' and application_name = 'handrail'`;
  const { id } = await submitAt(web[0], conversationId, shell("sleep 1"), append("b.txt", "x"));
  const polling = lookAt(web[1], id, 30);
  await pause(500);
  await cutSignals();
  const turn = await polling;
  expect(turn.status).toBe("completed");

  const long = await submitAt(web[0], conversationId, shell("sleep 25; echo late >> late.txt"));
  await expect.poll(async () => statusesOf(await lookAt(web[1], long.id))).toEqual(["running"]);
  await cutSignals();
  const cancelled = await cluster.agentAt(web[1]).call(turnEndpoints.cancel, { params: { id: long.id } });
  expect(cancelled.status).toBe("cancelled");
});

test("a replica that is asked to stop in the middle of turns loses none of them", async () => {
  const conversationId = await newConversation();
  const short = await submitAt(web[1], conversationId, shell("sleep 1; echo short >> stop.txt"));
  const other = await newConversation();
  const long = await submitAt(web[1], other, shell("sleep 20; echo long >> stop.txt"), append("stop.txt", "after"));
  await expect.poll(async () => statusesOf(await lookAt(web[0], long.id))).toEqual(["running", "pending"]);
  await expect.poll(async () => statusesOf(await lookAt(web[0], short.id))).toEqual(["running"]);
  expect(await web[1].stop()).toBe(0);
  expect(statusesOf(await lookAt(web[0], short.id, 10))).toEqual(["succeeded"]);
  expect(await linesOf(conversationId, "stop.txt")).toEqual(["short"]);
  const settled = await lookAt(web[0], long.id, 40);
  expect(settled.status).toBe("completed");
  expect(statusesOf(settled)).toEqual(["interrupted", "succeeded"]);
  expect(await linesOf(other, "stop.txt")).toEqual(["after"]);
  await web[1].start();
});
