import { fromJsonSchema, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { approvals, auditEvents, toolChanges, tools } from "@/db/schema";
import { answerQuestion } from "@/server/approvals/answer-question";
import { mcpConnections } from "@/server/mcp/connect/connections/connections";
import { describeDefinition } from "@/server/mcp/connect/listing/describe-definition";
import { patchServer } from "@/server/mcp/connect/servers/update-server";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { buildMcpKey, connectSession, connectStateless } from "@/server/testing/mcp/mcp-clients";
import { serveMcp } from "@/server/testing/mcp/serve-mcp";
import { presentChange } from "@/server/tools/pins/present-change";

const { connectedAs, house, start, rowsOf, statusOf } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });
const stops: (() => void)[] = [];
let degrees = "degrees";
afterEach(() => {
  degrees = "degrees";
  for (const stop of stops.splice(0)) stop();
});

const textOf = (result: object) =>
  "content" in result ? (result.content as { text?: string }[]).map(({ text }) => text ?? "").join("\n") : "";
const dialect = "https://json-schema.org/draft/2020-12/schema";
const rows = { type: "array" as const, items: { type: "string" } };

function upstream(extra: (server: McpServer) => void = () => {}): McpServer {
  const server = new McpServer({ name: "upstream", version: "1.0.0" });
  const annotations = { readOnlyHint: true };
  const none = z.object({});
  server.registerTool(
    "weather",
    {
      description: "Weather",
      inputSchema: fromJsonSchema<{ city?: string }>({ $schema: dialect, type: "object", properties: { city: { type: "string" } } }),
      outputSchema: z.object({ degrees: z.number().describe(degrees), story: z.string() }),
      annotations,
    },
    ({ city }) => {
      const structuredContent = { degrees: 21, story: city === "long" ? "x".repeat(20_000) : "mild" };
      return { content: [{ type: "text", text: "It is mild." }], structuredContent };
    },
  );
  server.registerTool(
    "names",
    { description: "Names", inputSchema: none, outputSchema: fromJsonSchema<string[]>(rows), annotations },
    () => ({
      content: [],
      structuredContent: ["Ada", "Bob"] as never,
    }),
  );
  server.registerTool("report", { description: "Report", inputSchema: none, annotations }, () => ({
    content: [
      { type: "text", text: "before" },
      { type: "resource", resource: { uri: "note://one", mimeType: "text/plain", text: "first\nsecond" } },
      { type: "text", text: "after" },
      { type: "resource", resource: { uri: "note://two", mimeType: "application/octet-stream", blob: "AAAA" } },
    ],
  }));
  extra(server);
  return server;
}

async function connected(extra?: (server: McpServer) => void) {
  await start();
  const served = await serveMcp(() => upstream(extra));
  stops.push(served.stop);
  const draft = McpServerDraft.parse({ alias: "up", transport: "streamable_http", url: served.url, tier: "core", trustHints: true });
  const server = await connectedAs(draft);
  return { server, key: await buildMcpKey(house(), crypto.randomUUID()) };
}

test("the schemas of an upstream tool reach a client as the server sent them, and its results fit them", async () => {
  const { key } = await connected();
  const client = await connectStateless(key);
  const listed = (await client.listTools()).tools;
  expect(listed.find(({ name }) => name === "up__weather")).toMatchObject({
    inputSchema: { $schema: dialect, properties: { city: { type: "string" } } },
    outputSchema: { type: "object", properties: { degrees: { type: "number" } } },
  });
  expect(listed.find(({ name }) => name === "up__names")?.outputSchema).toMatchObject({ type: "array" });
  const { title, annotations, _meta } = listed.find(({ name }) => name === "up__weather") ?? {};
  expect({ title, annotations, _meta }, "only what the server sent, and ours beside it").toEqual({
    title: undefined,
    annotations: { readOnlyHint: true },
    _meta: { "handrail/effect": "read" },
  });
  const called = await client.callTool({ name: "up__weather", arguments: { city: "Paris" } });
  expect(called).toMatchObject({ isError: false, structuredContent: { degrees: 21, story: "mild" } });
  // Structured content that is too large for a turn's result still reaches the program that asked.
  const long = await client.callTool({ name: "up__weather", arguments: { city: "long" } });
  expect((long.structuredContent as { story: string }).story).toHaveLength(20_000);
  expect(await client.callTool({ name: "up__names", arguments: {} })).toMatchObject({ structuredContent: ["Ada", "Bob"] });
  await client.close();
});

test("a client of 2025-11-25 reads a list in the member result, as its revision wants", async () => {
  const { key } = await connected();
  const { client } = await connectSession(key);
  const listed = (await client.listTools()).tools;
  expect(listed.find(({ name }) => name === "up__names")?.outputSchema).toMatchObject({ properties: { result: { type: "array" } } });
  expect(await client.callTool({ name: "up__names", arguments: {} })).toMatchObject({ structuredContent: { result: ["Ada", "Bob"] } });
  await client.close();
});

test("an embedded resource stays a resource, between the texts around it", async () => {
  const { key } = await connected();
  const client = await connectStateless(key);
  const { content } = await client.callTool({ name: "up__report", arguments: {} });
  expect(content).toEqual([
    { type: "text", text: "before" },
    { type: "resource", resource: { uri: "note://one", mimeType: "text/plain", text: "first\nsecond" } },
    { type: "text", text: "after" },
    { type: "resource", resource: { uri: "note://two", mimeType: "application/octet-stream", blob: "AAAA" } },
  ]);
  await client.close();
});

test("a call that waits for a person's answer names the question's page, and goes on with the answer", async () => {
  const ask = (server: McpServer) =>
    server.registerTool(
      "choose",
      { description: "Asks", inputSchema: z.object({}), annotations: { readOnlyHint: true } },
      async (_args, ctx) => {
        const asked = inputRequired.elicit({ message: "Which one?", requestedSchema: { type: "object" as const, properties: {} } });
        const { answer } = (ctx.mcpReq.inputResponses ?? {}) as { answer?: { action?: string } };
        return answer
          ? { content: [{ type: "text", text: `chose ${answer.action}` }] }
          : inputRequired({ inputRequests: { answer: asked } });
      },
    );
  const { key } = await connected(ask);
  const client = await connectStateless(key);
  const chosen = client.callTool({ name: "up__choose", arguments: {} });
  const openQuestion = async () => (await db().select().from(approvals).where(eq(approvals.kind, "question")))[0];
  await expect.poll(openQuestion).toMatchObject({ status: "pending" });
  const question = await openQuestion();
  const pending = await client.callTool({ name: "get_result", arguments: { id: question?.turnId ?? "", wait: 0 } });
  expect(textOf(pending)).toContain(
    `up__choose is running and waits for a person's answer: http://localhost:3000/approvals?approval=${question?.id}. Once answered, it goes on by itself.`,
  );
  const answer = { actor: { type: "user" as const, id: house().admin.id, name: "Ada" }, requestId: "r", text: "Accept" };
  if (question) await answerQuestion(question, answer);
  expect(textOf(await chosen)).toBe("chose accept");
  await client.close();
});

test("a changed output schema quarantines its tool, and a pin from before output schemas were read stays", async () => {
  const { server } = await connected();
  const connection = mcpConnections().find(server.id);
  const rowOf = async (rawName: string) => (await rowsOf(server.id)).find((row) => row.rawName === rawName);
  const before = await rowOf("weather");
  expect(before).toMatchObject({ schemaDialect: dialect, quarantine: null, outputSchema: { properties: { degrees: {} } } });
  expect((await rowOf("report"))?.outputSchema).toEqual({});

  const listed = connection?.listed()?.tools.find(({ name }) => name === "weather");
  const { hashWithoutOutput } = describeDefinition("up", "up__weather", listed ?? { name: "" });
  await db()
    .update(tools)
    .set({ outputSchema: null, pinHash: hashWithoutOutput ?? "" })
    .where(eq(tools.id, before?.id ?? ""));
  await connection?.connect();
  expect(await rowOf("weather")).toMatchObject({ quarantine: null, pinHash: before?.pinHash });

  degrees = "the temperature in degrees";
  await connection?.connect();
  expect(await rowOf("weather")).toMatchObject({ quarantine: "pending", pinHash: before?.pinHash });
  const [change] = await db().select().from(toolChanges).where(eq(toolChanges.mcpServerId, server.id));
  expect(change && presentChange({ ...change, alias: "up", trustHints: true, currentId: change.id }).parts).toEqual(["outputSchema"]);
});

function contents(server: McpServer) {
  server.registerPrompt("review", { description: "Reviews", argsSchema: z.object({ file: z.string() }) }, ({ file }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Review ${file} with sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789` } }],
  }));
  server.registerResource("one", "note://one", { mimeType: "text/plain" }, ({ href: uri }) => ({
    contents: [{ uri, text: "fi\u200brst" }],
  }));
}

test("prompts and resources reach a client only where an admin offers them, masked, and each reading is audited", async () => {
  const { server, key } = await connected(contents);
  const client = await connectStateless(key);
  expect((await client.listPrompts()).prompts).toEqual([]);
  expect((await client.listResources()).resources).toEqual([]);
  await expect(client.readResource({ uri: "note://one" })).rejects.toThrow("no such resource");
  await expect(client.getPrompt({ name: "up__review", arguments: { file: "a.ts" } })).rejects.toThrow("There is no such prompt");

  await patchServer(authorize(house().admin, "mcp:write"), server.id, { offerContents: true }, null);
  await statusOf(server.id, "connected");
  await expect.poll(async () => (await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["up__review"]);
  const { messages } = await client.getPrompt({ name: "up__review", arguments: { file: "a.ts" } });
  expect(messages[0]?.content).toMatchObject({ type: "text", text: "Review a.ts with sk***89" });
  expect((await client.readResource({ uri: "note://one" })).contents).toEqual([{ uri: "note://one", text: "first" }]);
  await expect(client.readResource({ uri: "note://other" })).rejects.toThrow("no such resource");
  const audited = await db().select().from(auditEvents).where(eq(auditEvents.event, "mcp_server.content_read")).orderBy(auditEvents.id);
  expect(audited.map(({ data }) => data)).toEqual([
    { kind: "prompt", name: "review" },
    { kind: "resource", uri: "note://one" },
  ]);
  await client.close();
});

test("an agent without a tool of a server sees none of its prompts and resources", async () => {
  const { server } = await connected(contents);
  await patchServer(authorize(house().admin, "mcp:write"), server.id, { offerContents: true, allowedTools: [] }, null);
  await expect.poll(async () => (await rowsOf(server.id)).length).toBe(0);
  const client = await connectStateless(await buildMcpKey(house(), crypto.randomUUID()));
  expect((await client.listPrompts()).prompts).toEqual([]);
  expect((await client.listResources()).resources).toEqual([]);
  await client.close();
});

test("a link of a result stays a link, and its resource is readable in that conversation", async () => {
  const { key } = await connected((server) => {
    contents(server);
    server.registerTool("find", { inputSchema: z.object({}), annotations: { readOnlyHint: true } }, () => ({
      content: [
        { type: "text", text: "found" },
        { type: "resource_link", uri: "note://one", name: "one", title: "Note one", mimeType: "text/plain", description: "The first" },
      ],
    }));
  });
  const client = await connectStateless(key);
  await expect(client.readResource({ uri: "note://one" })).rejects.toThrow("no such resource");
  const { content } = await client.callTool({ name: "up__find", arguments: {} });
  expect(content).toEqual([
    { type: "text", text: "found" },
    { type: "resource_link", uri: "note://one", name: "Note one", mimeType: "text/plain", description: "The first" },
  ]);
  expect((await client.readResource({ uri: "note://one" })).contents).toEqual([{ uri: "note://one", text: "first" }]);
  const stranger = await connectStateless(await buildMcpKey(house(), crypto.randomUUID()));
  await expect(stranger.readResource({ uri: "note://one" })).rejects.toThrow("no such resource");
  await Promise.all([client.close(), stranger.close()]);
});
