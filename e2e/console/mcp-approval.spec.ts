import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport as OldTransportFace } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { newHook, newMcpKey, pendingId, textOf } from "../mcp-texts";
import { open } from "./check-page";
import { decideAtOnce, findDetail } from "./pending-approvals";

const info = { name: "journey", version: "1.0.0" };

/** Opens the page that a client was sent to, and approves the call there. */
async function approveAt(page: Page, address: string, hook: string): Promise<void> {
  const { pathname, search } = new URL(address);
  await decideAtOnce(page);
  await open(page, `${pathname}${search}`);
  const detail = findDetail(page);
  await expect(detail).toContainText(hook);
  await detail.getByRole("button", { name: "Approve once" }).click();
}

test("a client of 2026-07-28 sends its user to the inbox, and a click there gives it the result", async ({
  adminPage: page,
  api,
  productUrl,
}) => {
  const hook = newHook();
  const client = new Client(info, { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: { url: {} } } });
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    if (!("url" in params)) return { action: "decline" };
    await approveAt(page, params.url, hook);
    return { action: "accept" };
  });
  const requestInit = { headers: { authorization: `Bearer ${await newMcpKey(api)}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", productUrl), { requestInit }));
  const result = await client.callTool({ name: "write_file", arguments: { path: hook, content: "date" } });
  expect(result.isError).toBe(false);
  expect(textOf(result)).toContain(hook);
  await client.close();
});

test("a client of 2025-11-25 names the inbox, and a click there gives it the result", async ({ adminPage: page, api, productUrl }) => {
  const hook = newHook();
  const client = new OldClient(info);
  const requestInit = { headers: { authorization: `Bearer ${await newMcpKey(api)}` } };
  const transport = new OldTransport(new URL("/mcp", productUrl), { requestInit });
  await client.connect(transport as OldTransportFace);
  const pending = textOf(await client.callTool({ name: "write_file", arguments: { path: hook, content: "date" } }));
  const waiting = client.callTool({ name: "get_result", arguments: { id: pendingId(pending) } });
  await approveAt(page, /http\S+\?approval=[0-9a-f-]{36}/.exec(pending)?.[0] ?? "", hook);
  expect(textOf(await waiting)).toContain(hook);
  await client.close();
});
