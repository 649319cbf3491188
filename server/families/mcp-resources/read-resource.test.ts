import path from "node:path";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { tools } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { systemActor } from "@/server/auth/actor";
import { createCapabilities } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database/database";
import { buildConversation } from "@/server/testing/builders";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { runTool } from "@/server/testing/run-tool";
import { isRichResult } from "@/server/tools/define-tool";
import { linkedResources } from "./linked-resources";
import { readResource } from "./tools/read-resource";

const full = path.resolve("server/testing/mcp/full-mcp-server.mjs");
const { connected, house, refusalOf, run, start } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });

async function conversation() {
  const { workspace, admin, agent } = house();
  const { id: conversationId } = await buildConversation(admin, { agentId: agent.id });
  const origin = { workspaceId: workspace.id, conversationId, requestedBy: { type: "user" as const, id: admin.id, name: "Ada" } };
  const scope = { workspaceId: workspace.id, conversationId } as Parameters<typeof linkedResources.create>[0];
  const read = (uri: string, server?: string) =>
    runTool(readResource, { uri, ...(server ? { server } : {}) }, createCapabilities([linkedResources], scope));
  return { origin, read };
}

const textOf = (result: Awaited<ReturnType<typeof runTool>>) => (isRichResult(result) ? result.text : String(result));

test("a resource is read when a result of this conversation linked to it, fenced and bounded, and not elsewhere", async () => {
  await start();
  const { id } = await connected("full", [full]);
  const [here, there] = [await conversation(), await conversation()];
  expect(await refusalOf(here.read("note://huge"))).toContain("No result of this conversation linked to note://huge");
  await run(id, "full__links", {}, { origin: here.origin });
  const text = textOf(await here.read("note://huge"));
  expect(text.slice(0, 60)).toMatch(/^<external-[0-9a-f]{8}>\nxxx/);
  expect(text.length).toBeLessThan(1_001_000);
  expect(text).toMatch(
    /\[cut here\]\n<\/external-[0-9a-f]{8}>\n\[The text between the marks comes from the resource note:\/\/huge of the MCP server full\./,
  );
  const picture = await here.read("note://picture");
  expect(isRichResult(picture) && picture.files).toMatchObject([{ mediaType: "image/png" }]);
  expect(await refusalOf(there.read("note://huge"))).toContain("No result of this conversation linked");
  expect(await refusalOf(here.read("note://secret"))).toContain("and no server lists it");
});

test("a listed resource needs no link, but a tool of its server that the agent may use; hidden characters are removed", async () => {
  await start();
  const { id } = await connected("full", [full]);
  const { read } = await conversation();
  expect(textOf(await read("note://listed"))).toMatch(
    /^<(external-[0-9a-f]{8})>\nlisted\n\[Handrail removed hidden characters: U\+200B \(1\)\]\n<\/\1>\n/,
  );
  await db().transaction(async (tx) => {
    await tx.update(tools).set({ enabled: false }).where(eq(tools.mcpServerId, id));
    const { id: workspaceId } = house().workspace;
    await recordConfigChange(tx, { workspaceId, event: "tool.updated", actor: systemActor, subject: "full", data: {} });
  });
  const other = await conversation();
  await vi.waitFor(async () => expect(await refusalOf(other.read("note://listed"))).toContain("no server lists it"));
});

test("a URI that several servers list needs the server's alias", async () => {
  await start();
  await connected("one", [full]);
  await connected("two", [full]);
  const { read } = await conversation();
  expect(await refusalOf(read("note://listed"))).toContain("Several servers know note://listed: one, two.");
  expect(textOf(await read("note://listed", "two"))).toContain("of the MCP server two");
});
