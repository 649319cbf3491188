import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { agents, toolCalls, tools, turns } from "@/db/schema";
import { record } from "@/server/audit/record";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { systemActor } from "@/server/auth/actor";
import { readConversation } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { authorize, type BuiltWorkspace, buildAgent, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { useTestDatabase } from "@/server/testing/test-database";
import { reportFormats } from "./admin/report-formats";
import { enableTool } from "./enable-tool";
import { listConversationTools, loadToolScope } from "./list-conversation-tools";
import { previewAgentTools } from "./preview-agent-tools";

useTestDatabase();

let built: BuiltWorkspace;
beforeEach(async () => {
  built = await buildWorkspace();
  await addBuiltinTools(built.workspace.id);
});

const reader = () => authorize(built.viewer, "tools:read");

async function addMcpTool(values: Partial<typeof tools.$inferInsert> & { name: string }) {
  await insertTool(values);
  await db().transaction((tx) => bumpConfigVersion(tx, built.workspace.id));
}

const addTool = (name: string) => insertTool({ name, defaultTier: "core" });

async function insertTool(values: Partial<typeof tools.$inferInsert> & { name: string }) {
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

test("the preview says what each source costs, what full schemas would cost, and what the other modes cost", async () => {
  await addMcpTool({ name: "probe__a", description: "Does the thing. ".repeat(50) });
  const ticked = ["probe__a", "read_file"];
  const preview = await previewAgentTools(reader(), built.agent.id, ticked);
  const { sources, modes, tokens, withoutDisclosure, budget } = preview;
  expect(sources.map(({ source }) => source)).toEqual(["builtin", "mcp"]);
  expect(sources.find(({ source }) => source === "mcp")).toMatchObject({ advertised: 0, inDirectory: 1, tokens: 0 });
  expect(sources.reduce((sum, { advertised }) => sum + advertised, 0)).toBe(preview.advertised);
  expect(modes).toEqual({ progressive: tokens.tools + tokens.directory, legacy: withoutDisclosure, none: 0 });
  expect(budget).toEqual({ tokens: 12_000, demoted: [] });
  await db().update(agents).set({ disclosureMode: "none" }).where(eq(agents.id, built.agent.id));
  const without = await previewAgentTools(reader(), built.agent.id, ticked);
  expect(without).toMatchObject({ advertised: 0, inDirectory: 0, tokens: { tools: 0, directory: 0 }, sources: [], modes });
});

test("a tool that a provider refuses is left out of its listing with the reason, and the report says the same", async () => {
  const inputSchema = { type: "object", properties: { "a b": { type: "string" } }, required: ["a b"] };
  await addMcpTool({ name: "3d__print", disclosureTier: "core", inputSchema });
  const agent = await buildAgent(built.workspace.id, { name: "maker", tools: ["3d__print"] });
  const { id } = await buildConversation(built.admin, { agentId: agent.id });
  const [gemini, anthropic, openai] = await Promise.all(
    (["gemini", "anthropic", "openai-responses"] as const).map((format) => listConversationTools(reader(), id, format)),
  );
  expect(gemini?.leftOut).toEqual([{ tool: "3d__print", reason: expect.stringContaining("begins with a letter") }]);
  expect(anthropic?.leftOut).toEqual([{ tool: "3d__print", reason: expect.stringContaining('required argument "a b"') }]);
  expect(openai?.leftOut).toEqual([]);
  expect(JSON.stringify(openai?.tools)).toContain("3d__print");
  expect(JSON.stringify(gemini?.tools)).not.toContain("3d__print");
  const { items } = await reportFormats(reader(), "3d__print");
  expect(items.map(({ format, leftOut }) => [format, leftOut === null])).toEqual([
    ["openai", true],
    ["openai-responses", true],
    ["anthropic", false],
    ["gemini", false],
  ]);
});

test("more than 128 functions are a warning for OpenAI and no other provider", async () => {
  for (let at = 0; at < 130; at += 1) await addTool(`probe__t${at}`);
  await db().transaction((tx) => bumpConfigVersion(tx, built.workspace.id));
  const { id } = await buildConversation(built.admin, { agentId: built.agent.id });
  expect((await listConversationTools(reader(), id, "openai")).warnings).toEqual([expect.stringContaining("at most 128 functions")]);
  expect((await listConversationTools(reader(), id, "anthropic")).warnings).toEqual([]);
});

test("an agent of another workspace does not exist", async () => {
  const other = await buildWorkspace();
  await expect(previewAgentTools(reader(), other.agent.id, [])).rejects.toMatchObject({ code: "not_found" });
});

/** A schema of about 3,500 tokens. */
const heavySchema = {
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 150 }, (_, index) => [
      `field_${index}`,
      { type: "string", description: `The field number ${index} of the report` },
    ]),
  ),
};

test("the preview names the Core tools that the budget moves, the least used first, before it happens", async () => {
  const names = ["heavy__a", "heavy__b", "heavy__c", "heavy__d"];
  for (const name of names) await addMcpTool({ name, disclosureTier: "core", inputSchema: heavySchema });
  await db().transaction((tx) =>
    record(tx, { workspaceId: built.workspace.id, event: "call.succeeded", actor: systemActor, subject: "heavy__a", tool: "heavy__a" }),
  );
  await db().transaction((tx) => bumpConfigVersion(tx, built.workspace.id));
  const { budget, advertised, tokens } = await previewAgentTools(reader(), built.agent.id, names);
  expect(budget).toEqual({ tokens: 12_000, demoted: ["heavy__b"] });
  const agent = await buildAgent(built.workspace.id, { name: "heavy", tools: names });
  await db().transaction((tx) => bumpConfigVersion(tx, built.workspace.id));
  const { id } = await buildConversation(built.admin, { agentId: agent.id });
  const shown = await listConversationTools(reader(), id, "handrail");
  expect([shown.tools.length, shown.tokens.tools]).toEqual([advertised, tokens.tools]);
  expect(shown.directory).toContain("heavy__b");
  await db().update(agents).set({ disclosureMode: "legacy" }).where(eq(agents.id, built.agent.id));
  expect((await previewAgentTools(reader(), built.agent.id, names)).budget.demoted).toEqual([]);
});

test("the budget takes the activated tool that the conversation used longest ago, not the one activated first", async () => {
  const names = ["heavy__a", "heavy__b", "heavy__c", "heavy__d"];
  for (const name of names) await addMcpTool({ name, inputSchema: heavySchema });
  const agent = await buildAgent(built.workspace.id, { name: "lazy", tools: names });
  await db().transaction((tx) => bumpConfigVersion(tx, built.workspace.id));
  const { id } = await buildConversation(built.admin, { agentId: agent.id });
  const actor = { type: "user" as const, id: built.admin.id, name: "Ada" };
  const enable = async (requested: string) => {
    const conversation = await readConversation(id);
    if (!conversation) throw new Error("the conversation is gone");
    await enableTool(conversation, await loadToolScope(conversation), actor, requested);
  };
  for (const name of names.slice(0, 3)) await enable(name);
  await useIn(id, "heavy__a");
  await enable("heavy__d");
  const shown = await listConversationTools(reader(), id, "handrail");
  expect(shown.tools.map((tool) => Object(tool).name).filter((name) => names.includes(name))).toEqual(["heavy__c", "heavy__a", "heavy__d"]);
  expect(shown.directory).toContain("heavy__b");
  await enable("heavy__b");
  const again = await listConversationTools(reader(), id, "handrail");
  expect(again.directory).toContain("heavy__c");
  expect(again.directory).not.toContain("heavy__b");
});

/** Stores a call that ran. */
async function useIn(conversationId: string, name: string) {
  const values = { workspaceId: built.workspace.id, conversationId, requestDigest: "0", requestedBy: systemActor };
  const [turn] = await db()
    .insert(turns)
    .values({ ...values, status: "completed", finishedAt: sql`now()` })
    .returning();
  if (!turn) throw new Error("no turn");
  const call = { turnId: turn.id, position: 0, runtimeId: "c", requestedName: name, name, arguments: {}, status: "succeeded" as const };
  const now = sql`now()`;
  await db()
    .insert(toolCalls)
    .values({ ...call, workspaceId: built.workspace.id, startedAt: now, finishedAt: now });
}
