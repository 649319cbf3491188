import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer as OldServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { inputRequired, McpServer } from "@modelcontextprotocol/server";
import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { approvals, auditEvents } from "@/db/schema";
import { answerQuestion } from "@/server/approvals/answer-question";
import { db } from "@/server/platform/database/database";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { buildMcpKey, connectSession, connectStateless } from "@/server/testing/mcp/mcp-clients";
import { serveMcp } from "@/server/testing/mcp/serve-mcp";

const { connectedAs, house, start } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });
const stops: (() => void)[] = [];
beforeEach(() => start());
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const schema = { type: "object" as const, properties: { name: { type: "string" as const, default: "Ada" } }, required: ["name"] };
const question = { message: "What is your name?", requestedSchema: schema };
const prompt = {
  messages: [
    { role: "user" as const, content: { type: "text" as const, text: "Greet with sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789" } },
  ],
  maxTokens: 50,
};

/** A server of 2025-06-18 whose tool asks for a form, a model's words and roots, one after the other. */
async function olderServer(): Promise<string> {
  const server = new OldServer({ name: "asking", version: "1.0.0" });
  const annotations = { readOnlyHint: true };
  server.registerTool("ask", { description: "Asks", inputSchema: {}, annotations }, async (_args, { sendRequest }) => {
    const answers = [
      await sendRequest({ method: "elicitation/create", params: question }, z.looseObject({})),
      await sendRequest({ method: "sampling/createMessage", params: prompt }, z.looseObject({})),
      await sendRequest({ method: "roots/list" }, z.looseObject({})),
    ];
    return { content: [{ type: "text", text: JSON.stringify(answers) }] };
  });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  const http = createServer((request, response) => void transport.handleRequest(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  stops.push(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

/** A server of 2026-07-28 whose tool asks for the same at once. */
async function newerServer(): Promise<string> {
  const served = await serveMcp(() => {
    const server = new McpServer({ name: "asking", version: "1.0.0" });
    const annotations = { readOnlyHint: true };
    server.registerTool("ask", { description: "Asks", inputSchema: z.object({}), annotations }, (_args, { mcpReq }) => {
      const { form, words, roots } = (mcpReq.inputResponses ?? {}) as Record<string, unknown>;
      if (form && words && roots) return { content: [{ type: "text", text: JSON.stringify([form, words, roots]) }] };
      return inputRequired({
        inputRequests: {
          form: inputRequired.elicit(question),
          words: inputRequired.createMessage(prompt),
          roots: inputRequired.listRoots(),
        },
      });
    });
    return server;
  });
  stops.push(served.stop);
  return served.url;
}

async function connected(url: string, rest: object = {}) {
  await connectedAs(McpServerDraft.parse({ alias: "up", transport: "streamable_http", url, tier: "core", trustHints: true, ...rest }));
  return buildMcpKey(house(), randomUUID());
}

const all = { elicitation: { form: {} }, sampling: {}, roots: {} };
const answers = {
  form: { action: "accept" as const, content: { name: "Grace" } },
  words: { role: "assistant" as const, content: { type: "text" as const, text: "Hello" }, model: "theirs" },
  roots: { roots: [{ uri: "file:///home/grace", name: "home" }] },
};
const textOf = (result: object) => ("content" in result ? (result.content as { text?: string }[])[0]?.text : undefined) ?? "";
const audited = async () => {
  const rows = await db().select().from(auditEvents).where(eq(auditEvents.event, "mcp_server.question_answered")).orderBy(auditEvents.id);
  return rows.slice(-3).map(({ data, actorType }) => [actorType, data.kind, data.where, data.client ?? null, data.outcome]);
};

/** Connects a client of each revision that answers everything, and notes what it was asked. */
async function answering(revision: string, key: string) {
  const asked: unknown[] = [];
  if (revision === "2025-11-25") {
    const { client } = await connectSession(key, { capabilities: all });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params);
      return answers.form;
    });
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      asked.push(params);
      return answers.words;
    });
    client.setRequestHandler(ListRootsRequestSchema, () => answers.roots);
    return { client, asked };
  }
  const client = await connectStateless(key, { capabilities: all });
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params);
    return answers.form;
  });
  client.setRequestHandler("sampling/createMessage", ({ params }) => {
    asked.push(params);
    return answers.words;
  });
  client.setRequestHandler("roots/list", () => answers.roots);
  return { client, asked };
}

for (const revision of ["2025-11-25", "2026-07-28"])
  for (const [era, makeUpstream] of [
    ["older", olderServer],
    ["newer", newerServer],
  ] as const) {
    test(`what the ${era} kind of server asks during a call is answered by the client of ${revision} that made it, and audited`, async () => {
      const { client, asked } = await answering(revision, await connected(await makeUpstream()));
      const called = await client.callTool({ name: "up__ask", arguments: {} });
      const [form, words, roots] = JSON.parse(textOf(called));
      expect(form).toMatchObject(answers.form);
      expect(words).toMatchObject({ model: "theirs", content: { text: "Hello" } });
      expect(roots.roots).toEqual(answers.roots.roots);
      expect(asked).toContainEqual(expect.objectContaining(question));
      expect(JSON.stringify(asked), "secrets in a server's request are masked").toContain("Greet with sk***89");
      expect((await audited()).toSorted()).toEqual([
        ["api_key", "form", "client", "test-client 1.2.3", "accept"],
        ["api_key", "roots", "client", "test-client 1.2.3", "answered"],
        ["api_key", "sampling", "client", "test-client 1.2.3", "answered"],
      ]);
      expect(await db().select().from(approvals).where(eq(approvals.kind, "question"))).toEqual([]);
      await client.close();
    });
  }

for (const [era, makeUpstream] of [
  ["older", olderServer],
  ["newer", newerServer],
] as const)
  test(`a client's answer outside the form of the ${era} kind of server is an error of the protocol, and never passed on`, async () => {
    const { client } = await connectSession(await connected(await makeUpstream()), { capabilities: all });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept" as const, content: { name: ["Grace"] } }));
    client.setRequestHandler(CreateMessageRequestSchema, () => answers.words);
    client.setRequestHandler(ListRootsRequestSchema, () => answers.roots);
    const called = await client.callTool({ name: "up__ask", arguments: {} });
    expect(textOf(called)).toContain("The answer of test-client 1.2.3 does not fit the form: name must be string.");
    expect(textOf(called)).toContain("-32602");
    expect(await audited()).toContainEqual(["api_key", "form", "client", "test-client 1.2.3", "invalid"]);
    await client.close();
  });

const openQuestion = async () => {
  const rows = await db()
    .select()
    .from(approvals)
    .where(and(eq(approvals.kind, "question"), eq(approvals.status, "pending")));
  return rows[0];
};

test("with console only, people in the console answer, and the client is asked nothing", async () => {
  const key = await connected(await olderServer(), { questions: "console_only" });
  const { client, asked } = await answering("2025-11-25", key);
  const called = client.callTool({ name: "up__ask", arguments: {} });
  await expect.poll(openQuestion, { timeout: 10_000 }).toBeDefined();
  const row = await openQuestion();
  const by = { type: "user" as const, id: house().admin.id, name: "Ada" };
  if (row) await answerQuestion(row, { actor: by, requestId: "r", text: "Ada" });
  expect(textOf(await called)).toContain("-32601");
  expect(asked).toEqual([]);
  expect(await audited()).toContainEqual(["api_key", "form", "console", null, "accept"]);
  await client.close();
});

test("a question whose client left goes to people in the console", async () => {
  const key = await connected(await olderServer());
  const { client } = await connectSession(key, { capabilities: { elicitation: { form: {} } } });
  const isAsked = Promise.withResolvers<void>();
  client.setRequestHandler(ElicitRequestSchema, () => {
    isAsked.resolve();
    return new Promise(() => {});
  });
  const called = client.callTool({ name: "up__ask", arguments: {} }).catch(() => {});
  await isAsked.promise;
  await client.close();
  await called;
  await expect.poll(openQuestion, { timeout: 10_000 }).toMatchObject({ question: { text: expect.stringContaining("What is your name?") } });
});
