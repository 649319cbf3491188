import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport as OldTransportFace } from "@modelcontextprotocol/sdk/shared/transport.js";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { auditEndpoints } from "@/contracts/audit/audit";
import { approvePending } from "../approve-pending";
import { expect, test } from "../fixtures";
import { newHook, newMcpKey, textOf } from "../mcp-texts";

const info = { name: "journey", version: "1.0.0" };
async function connect(productUrl: string, key: string, options: ClientOptions = {}): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode: "auto" }, ...options });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", productUrl), { requestInit }));
  return client;
}

test("a client of 2026-07-28 lists, finds, enables and calls tools, and is sent to the page of an approval", async ({
  api,
  productUrl,
}) => {
  const opened: string[] = [];
  const client = await connect(productUrl, await newMcpKey(api), { capabilities: { elicitation: { url: {} } } });
  client.setRequestHandler("elicitation/create", ({ params }) => {
    if ("url" in params) opened.push(params.url);
    return { action: "accept" };
  });
  let changes = 0;
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    changes += 1;
  });
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  expect(await names()).toEqual(expect.arrayContaining(["date_time", "write_file", "enable_tool", "get_result"]));
  expect(await names()).not.toContain("ask_user");
  expect(client.getInstructions()).toContain("ask_user");
  expect(textOf(await client.callTool({ name: "date_time", arguments: { timezone: "Europe/Paris" } }))).toMatch(/\d{4}-\d{2}-\d{2}T/);

  const subscription = await client.listen({ toolsListChanged: true });
  expect(textOf(await client.callTool({ name: "enable_tool", arguments: { toolName: "ask_user" } }))).toContain("is now active");
  await expect.poll(() => changes).toBe(1);
  expect(await names()).toContain("ask_user");
  await subscription.close();

  const path = newHook();
  const [written] = await Promise.all([
    client.callTool({ name: "write_file", arguments: { path, content: "date" } }),
    approvePending(api.approver, ({ arguments: args }) => args.path === path),
  ]);
  expect(textOf(written)).toContain(path);
  expect(opened).toHaveLength(1);
  expect(opened[0]).toContain(`${productUrl}/approvals?approval=`);
  const conversationId = String(written._meta?.["handrail/conversation"]);
  const { items } = await api.admin.call(auditEndpoints.list, { query: { conversationId, event: "conversation.created" } });
  expect(items[0]?.data).toMatchObject({ origin: "mcp" });
  await client.close();
});

test("a client of 2025-11-25 reads that a person is asked, and gets the result of the one call that ran", async ({ api, productUrl }) => {
  const client = new OldClient(info);
  const headers = { authorization: `Bearer ${await newMcpKey(api)}` };
  const transport = new OldTransport(new URL("/mcp", productUrl), { requestInit: { headers } });
  await client.connect(transport as OldTransportFace);
  const path = newHook();
  const call = { name: "write_file", arguments: { path, content: "date\n", mode: "append" } };
  const pending = await client.callTool(call);
  const id = String(pending._meta?.["handrail/approval"]);
  expect(textOf(pending)).toContain(`${productUrl}/approvals?approval=${id}`);
  const waiting = client.callTool({ name: "get_result", arguments: { id: String(pending._meta?.["handrail/turn"]) } });
  await api.approver.call(approvalEndpoints.decide, { params: { id }, body: { decision: "approve" } });
  expect(textOf(await waiting)).toContain(path);
  expect(textOf(await client.callTool({ name: "read_file", arguments: { path } }))).toContain("date");
  const ended = { ...headers, accept: "text/event-stream", "mcp-session-id": transport.sessionId ?? "" };
  await transport.terminateSession();
  expect((await api.nobody.fetch("/mcp", { headers: ended })).status).toBe(404);
  await client.close();
});
