import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { agents, tools } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database";
import { authorize, type BuiltWorkspace, buildAgent, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { builtinTools } from "@/server/testing/builtin-tools";
import { useTestDatabase } from "@/server/testing/test-database";
import { listConversationTools } from "./list-conversation-tools";
import { previewAgentTools } from "./preview-agent-tools";
import { syncTools } from "./sync-tools";

useTestDatabase();

let built: BuiltWorkspace;
beforeEach(async () => {
  built = await buildWorkspace();
  await db().transaction((tx) => syncTools(tx, { workspaceId: built.workspace.id, mcpServerId: null }, builtinTools));
});

const reader = () => authorize(built.viewer, "tools:read");

async function addMcpTool(values: Partial<typeof tools.$inferInsert> & { name: string }) {
  const common = { title: "T", description: "Does", source: "mcp", rawName: "t", family: "mcp", effect: "read" } as const;
  await db()
    .insert(tools)
    .values({
      ...common,
      workspaceId: built.workspace.id,
      concurrencySafe: true,
      inputSchema: { type: "object" },
      schemaHash: "0",
      defaultTier: "extension",
      defaultTimeoutMs: 1_000,
      ...values,
    });
  await db().transaction((tx) => bumpConfigVersion(tx, built.workspace.id));
}

test("the preview of what is ticked costs what a conversation of the agent shows", async () => {
  await addMcpTool({ name: "probe__a" });
  const ticked = ["probe__a", "read_file"];
  const agent = await buildAgent(built.workspace.id, { name: "scout", tools: ticked });
  const conversation = await buildConversation(built.admin, { agentId: agent.id });
  const shown = await listConversationTools(reader(), conversation.id, "handrail");
  const preview = await previewAgentTools(reader(), agent.id, ticked);
  expect(preview.tokens).toEqual({ tools: shown.tokens.tools, directory: shown.tokens.directory });
  expect(preview).toMatchObject({ advertised: shown.tools.length, inDirectory: 1, joinsAllMcp: false, unavailable: [] });
});

test("without MCP tools, none of them joins", async () => {
  expect(await previewAgentTools(reader(), built.agent.id, ["read_file"])).toMatchObject({ joinsAllMcp: false });
});

test("nothing ticked costs all enabled tools, and no MCP tool ticked lets all of them join", async () => {
  await addMcpTool({ name: "probe__a" });
  const all = await previewAgentTools(reader(), built.agent.id, []);
  const one = await previewAgentTools(reader(), built.agent.id, ["read_file"]);
  expect(all.advertised).toBeGreaterThan(one.advertised);
  expect([all.joinsAllMcp, one.joinsAllMcp, one.inDirectory]).toEqual([false, true, 1]);
});

test("legacy disclosure advertises every tool in full", async () => {
  await addMcpTool({ name: "probe__a" });
  await db().update(agents).set({ disclosureMode: "legacy" }).where(eq(agents.id, built.agent.id));
  expect(await previewAgentTools(reader(), built.agent.id, ["probe__a"])).toMatchObject({ inDirectory: 0 });
});

test("a ticked tool that is gone, disabled, stale, renamed or hidden says why", async () => {
  await addMcpTool({ name: "probe__stale", availability: "stale", availabilityReason: "The server is away." });
  await addMcpTool({ name: "probe__off", enabled: false });
  await addMcpTool({ name: "probe__send", surfaceOverride: "escalate" });
  const ticked = ["probe__stale", "probe__off", "probe__gone", "probe__send", "ReadFileTool", "date_time"];
  const { unavailable } = await previewAgentTools(reader(), built.agent.id, ticked);
  expect(Object.fromEntries(unavailable.map(({ tool, reason }) => [tool, reason]))).toEqual({
    ReadFileTool: "This name is an alias of read_file now. Tick read_file instead.",
    probe__gone: "No tool has this name any more.",
    probe__off: "The tool is disabled.",
    probe__send: expect.any(String),
    probe__stale: "The server is away.",
  });
});

test("an agent of another workspace does not exist", async () => {
  const other = await buildWorkspace();
  await expect(previewAgentTools(reader(), other.agent.id, [])).rejects.toMatchObject({ code: "not_found" });
});
