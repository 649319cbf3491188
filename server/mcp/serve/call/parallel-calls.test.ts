import { McpServer } from "@modelcontextprotocol/server";
import { desc, eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { toolCalls } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { buildMcpKey, connectSession, connectStateless } from "@/server/testing/mcp/mcp-clients";
import { serveMcp } from "@/server/testing/mcp/serve-mcp";
import { allowEverything } from "@/server/testing/media-stage";

const { connectedAs, house, start } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });
const stops: (() => void)[] = [];
let inside = 0;
let most = 0;
let release = Promise.withResolvers<void>();
afterEach(() => {
  inside = 0;
  most = 0;
  release = Promise.withResolvers();
  for (const stop of stops.splice(0)) stop();
});

const textOf = (result: object) =>
  "content" in result ? (result.content as { text?: string }[]).map(({ text }) => text ?? "").join("\n") : "";

/** Serves `echo`, and `meet`, whose calls end when as many of them run as `together` says, or when they are released. */
async function connected({ parallelCalls = true, together = 1 } = {}) {
  await start();
  await allowEverything({ built: house() }, true);
  const served = await serveMcp(() => {
    const server = new McpServer({ name: "upstream", version: "1.0.0" });
    const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
    // Without hints, and from a server that nobody trusts: the normal case.
    server.registerTool("echo", { description: "Echo", inputSchema: z.object({ n: z.number() }) }, ({ n }) => text(`echo ${n}`));
    server.registerTool("meet", { description: "Meet", inputSchema: z.object({}) }, async () => {
      inside += 1;
      most = Math.max(most, inside);
      if (inside >= together) release.resolve();
      await release.promise;
      inside -= 1;
      return text("met");
    });
    return server;
  });
  stops.push(served.stop);
  await connectedAs(McpServerDraft.parse({ alias: "up", transport: "streamable_http", url: served.url, tier: "core", parallelCalls }));
  return buildMcpKey(house(), crypto.randomUUID());
}

test("the calls that a client sends at once run side by side", async () => {
  const key = await connected({ together: 6 });
  const { client } = await connectSession(key);
  const calls = Array.from({ length: 6 }, () => client.callTool({ name: "up__meet", arguments: {} }));
  expect((await Promise.all(calls)).map(textOf)).toEqual(Array(6).fill("met"));
  expect(most).toBe(6);
  await client.close();
});

test("two hundred calls at once are all answered with their own results", async () => {
  const key = await connected();
  const { client } = await connectSession(key);
  const calls = Array.from({ length: 200 }, (_none, n) => client.callTool({ name: "up__echo", arguments: { n } }));
  expect((await Promise.all(calls)).map(textOf)).toEqual(Array.from({ length: 200 }, (_none, n) => `echo ${n}`));
  await client.close();
});

test("a server that an admin says so for gets one call of a conversation after another, and a waiting call says whom it is behind", async () => {
  const key = await connected({ parallelCalls: false, together: 2 });
  const client = await connectStateless(key);
  const first = client.callTool({ name: "up__meet", arguments: {} });
  await vi.waitFor(() => expect(inside).toBe(1));
  const second = client.callTool({ name: "up__echo", arguments: { n: 2 } });
  const waiting = async () =>
    (await db().select().from(toolCalls).where(eq(toolCalls.name, "up__echo")).orderBy(desc(toolCalls.turnId)).limit(1))[0];
  await expect.poll(waiting).toMatchObject({ status: "pending" });
  const asked = await client.callTool({ name: "get_result", arguments: { id: (await waiting())?.turnId ?? "", wait: 0 } });
  expect(textOf(asked)).toContain("up__echo has not begun: it is queued behind up__meet of the same conversation.");
  release.resolve();
  expect([textOf(await first), textOf(await second)]).toEqual(["met", "echo 2"]);
  await client.close();
});
