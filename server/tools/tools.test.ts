import { and, eq, inArray } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { ConversationDraft, toolFormats } from "@/contracts/conversations/conversations";
import { builtinToolNames } from "@/contracts/generated-tools";
import { agentTools, auditEvents, tools } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { requirePermission } from "@/server/auth/actor";
import { createConversation } from "@/server/conversations/create-conversation";
import { findConversation } from "@/server/conversations/find-conversation";
import { getConversation } from "@/server/conversations/get-conversation";
import { db } from "@/server/platform/database/database";
import { type BuiltWorkspace, buildAgent, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { addBuiltinTools, builtinTools } from "@/server/testing/builtin-tools";
import { useTestDatabase } from "@/server/testing/test-database";
import { buildTools } from "@/server/testing/test-tools";
import { getTool } from "./admin/get-tool";
import { listTools } from "./admin/list-tools";
import { setTier, updateTool } from "./admin/update-tool";
import { loadCatalog } from "./catalog";
import { defineTool } from "./define-tool";
import { enableTool } from "./enable-tool";
import { listConversationTools, loadToolScope } from "./list-conversation-tools";

useTestDatabase();

let built: BuiltWorkspace;
beforeEach(async () => {
  built = await buildWorkspace();
  await start();
});

/** Syncs this workspace's tools, as the start of the product does. */
const start = () => addBuiltinTools(built.workspace.id);
const admin = () => requirePermission(built.admin, "tools:write");
const reader = () => requirePermission(built.viewer, "tools:read");

/** Names of all tools, read page by page. */
async function pagedNames(limit: number): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listTools(reader(), { limit, ...(cursor ? { cursor } : {}) });
    names.push(...page.items.map(({ name }) => name));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return names;
}

const ping = defineTool({
  name: "probe__ping",
  title: "Ping",
  description: `Answers. ${"Long ".repeat(60)}`,
  family: "probe",
  tier: "extension",
  effect: "read",
  needs: [],
  input: z.object({ text: z.string() }),
  execute: async () => "pong",
});

describe("the tools of a workspace", () => {
  test("are there after a start with nothing set up: builtin first, each group by name", async () => {
    const { items, total } = await listTools(reader(), {});
    expect(items.length).toBe(total);
    expect(items.map(({ name }) => name)).toEqual(builtinToolNames);
    expect(items.map(({ enabled, tier }) => [enabled, tier])).toEqual(builtinTools.map(({ defaultTier }) => [true, defaultTier]));
    expect(items.find(({ name }) => name === "read_file")?.tier).toBe("core");
    const isShown = ({ tokens }: (typeof items)[number]) => tokens.core > tokens.extension && tokens.extension > 0;
    // Hidden until a conversation needs them, so until then they cost nothing.
    expect(items.filter((tool) => !isShown(tool)).map(({ name, tokens }) => [name, tokens])).toEqual(
      ["acp_permission", "core_execute", "jobs", "read_job", "read_resource", "stop_task", "wait"].map((name) => [
        name,
        { core: 0, extension: 0 },
      ]),
    );
  });

  test("that write files, run programs or reach other systems by themselves are marked as dangerous", async () => {
    const { items } = await listTools(reader(), {});
    const marked = items.filter(({ dangerous }) => dangerous).map(({ name }) => name);
    expect(marked).toEqual(expect.arrayContaining(["browser_use", "edit_file", "execute_code", "process", "shell_execute", "write_file"]));
    expect(items.filter(({ dangerous, effect }) => dangerous && effect === "read")).toEqual([]);
  });

  test("keep what admins decided when the product starts again", async () => {
    await updateTool(admin(), "shell_execute", { enabled: false, timeoutMs: 5_000, description: "Ours" }, null);
    await setTier(admin(), "shell_execute", "extension", null);
    await start();
    expect(await getTool(reader(), "shell_execute")).toMatchObject({
      enabled: false,
      tier: "extension",
      timeoutMs: 5_000,
      description: "Ours",
    });
    const reset = await updateTool(admin(), "shell_execute", { timeoutMs: null, description: null }, null);
    expect(reset.overrides).toEqual({ timeoutMs: null, resultLimit: null, description: null, effect: null, surface: null });
    expect(reset.description).not.toBe("Ours");
  });

  test("are paged by a cursor that never repeats or skips one", async () => {
    expect(await pagedNames(3)).toEqual((await listTools(reader(), {})).items.map(({ name }) => name));
  });

  test("are paged behind a tool of an agent, too", async () => {
    const ofAgents = and(eq(tools.workspaceId, reader().workspaceId), inArray(tools.name, ["date_time", "tree"]));
    await db().update(tools).set({ source: "agent" }).where(ofAgents);
    expect((await pagedNames(1)).slice(-2)).toEqual(["date_time", "tree"]);
  });

  test("are found by words of their name, title or description", async () => {
    expect((await listTools(reader(), { query: "shell" })).items.map(({ name }) => name)).toContain("shell_execute");
    expect((await listTools(reader(), { query: "no such words" })).items).toEqual([]);
  });

  test("change only from the version that was read", async () => {
    const { version } = await getTool(reader(), "date_time");
    await updateTool(admin(), "date_time", { enabled: false }, version);
    await expect(updateTool(admin(), "date_time", { enabled: true }, version)).rejects.toMatchObject({ code: "stale_version" });
  });

  test("of another workspace are not found", async () => {
    const other = await buildWorkspace();
    await buildTools(other.workspace.id, [ping]);
    await expect(getTool(reader(), "probe__ping")).rejects.toMatchObject({ code: "not_found" });
  });

  test("record who changed them", async () => {
    await setTier(admin(), "date_time", "extension", null);
    const rows = await db().select().from(auditEvents);
    expect(rows.find(({ event, workspaceId }) => event === "tool.tier_changed" && workspaceId === built.workspace.id)).toMatchObject({
      tool: "date_time",
      actorId: built.admin.id,
      data: expect.objectContaining({ tier: "extension" }),
    });
  });

  test("of an MCP server have the server's tier, and say so when somebody tries to move one", async () => {
    await buildTools(built.workspace.id, [ping], { alias: "probe" });
    const tool = await getTool(reader(), "probe__ping");
    expect(tool).toMatchObject({
      source: "mcp",
      sourceName: "probe",
      tierLocked: true,
      tierLockedReason: expect.stringContaining('"probe"'),
    });
    await expect(setTier(admin(), "probe__ping", "core", null)).rejects.toMatchObject({
      code: "tier_locked",
      message: expect.stringContaining("probe"),
    });
  });

  test("that an agent needs to reach the others stay on and in Core", async () => {
    await expect(updateTool(admin(), "enable_tool", { enabled: false }, null)).rejects.toMatchObject({ code: "conflict" });
    await expect(setTier(admin(), "enable_tool", "extension", null)).rejects.toMatchObject({ code: "tier_locked" });
  });
});

describe("what a conversation shows the model", () => {
  const open = () => buildConversation(built.agentKey);
  const runtime = () => requirePermission(built.agentKey, "tools:read");

  test.each(toolFormats)("is the same bytes for the same state, in the %s format", async (format) => {
    const [a, b] = [await open(), await open()];
    const [first, second] = [await listConversationTools(runtime(), a.id, format), await listConversationTools(runtime(), b.id, format)];
    expect(JSON.stringify(first)).toBe(JSON.stringify(second));
    expect(first.tokens.tools).toBeGreaterThan(100);
  });

  test("has each provider's own shape", async () => {
    const { id } = await open();
    const first = async (format: (typeof toolFormats)[number]) =>
      (await listConversationTools(runtime(), id, format)).tools.find((shown) => JSON.stringify(shown).includes('"date_time"'));
    expect(await first("openai")).toMatchObject({ type: "function", function: { name: "date_time", parameters: { type: "object" } } });
    expect(await first("anthropic")).toMatchObject({ name: "date_time", input_schema: { type: "object" } });
    expect(await first("gemini")).toMatchObject({
      functionDeclarations: expect.arrayContaining([expect.objectContaining({ name: "date_time" })]),
    });
    expect(await first("mcp")).toMatchObject({ name: "date_time", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } });
  });

  test("moves with the tier at the next step, and a line of the directory stays short", async () => {
    const { id } = await open();
    await setTier(admin(), "date_time", "extension", null);
    const listing = await listConversationTools(runtime(), id, "openai");
    expect(JSON.stringify(listing.tools)).not.toContain("date_time");
    expect(listing.directory).toContain("- date_time: ");
    expect(Math.max(...listing.directory.split("\n").map((line) => line.length))).toBeLessThan(140);
    expect(listing.tokens.saved).toBeGreaterThan(0);
    await setTier(admin(), "date_time", "core", null);
    const back = await listConversationTools(runtime(), id, "openai");
    expect(JSON.stringify(back.tools)).toContain('"date_time"');
    expect(back.directory).not.toContain("- date_time: ");
  });

  test("gains a tool through enable_tool, in this conversation only", async () => {
    await buildTools(built.workspace.id, [ping]);
    await setTier(admin(), "date_time", "extension", null);
    const [here, there] = [await open(), await open()];
    const enable = async (name: string) => {
      const conversation = await findConversation(built.agentKey, here.id);
      return enableTool(conversation, await loadToolScope(conversation), built.agentKey, name);
    };
    expect(await enable("DateTimeTool")).toBe("Tool 'date_time' is now active. Issue the call in your next response.");
    expect(await enable("date_time")).toContain("already directly callable");
    expect(await enable("read_file")).toContain("already directly callable");
    await expect(enable("no_such")).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining("'no_such' is not available"),
    });
    expect((await getConversation(requirePermission(built.agentKey, "turns:read"), here.id)).activatedTools).toEqual(["date_time"]);
    expect((await listConversationTools(runtime(), here.id, "openai")).directory).not.toContain("date_time");
    expect((await listConversationTools(runtime(), there.id, "openai")).directory).toContain("date_time");
    expect((await getTool(reader(), "date_time")).tier).toBe("extension");
  });

  test("does not gain a tool outside the agent's set, although the workspace has it", async () => {
    await setTier(admin(), "date_time", "extension", null);
    await db().insert(agentTools).values({ agentId: built.agent.id, toolName: "read_file" });
    await db().transaction((tx) => bumpConfigVersion(tx, built.workspace.id));
    const { id } = await open();
    const conversation = await findConversation(built.agentKey, id);
    await expect(enableTool(conversation, await loadToolScope(conversation), built.agentKey, "date_time")).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining("'date_time' is not available to this agent"),
    });
    expect((await getConversation(requirePermission(built.agentKey, "turns:read"), id)).activatedTools).toEqual([]);
  });

  test("follows a switched-off tool at once, also from memory", async () => {
    const { id } = await open();
    const before = await loadCatalog(built.workspace.id);
    expect(await loadCatalog(built.workspace.id)).toBe(before);
    await updateTool(admin(), "date_time", { enabled: false }, null);
    expect(JSON.stringify((await listConversationTools(runtime(), id, "openai")).tools)).not.toContain("date_time");
  });
});

describe("opening a conversation", () => {
  const runtime = () => requirePermission(built.agentKey, "turns:write");
  const draft = (values: z.input<typeof ConversationDraft> = {}) => ConversationDraft.parse(values);

  test("twice with one externalId answers the same one", async () => {
    const first = await createConversation(runtime(), draft({ externalId: "thread-1" }));
    const second = await createConversation(runtime(), draft({ externalId: "thread-1", channel: "other" }));
    expect([first.created, second.created]).toEqual([true, false]);
    expect(second.conversation).toEqual(first.conversation);
  });

  test("for another agent is refused to a key that is bound to one", async () => {
    const other = await buildAgent(built.workspace.id);
    await expect(createConversation(runtime(), draft({ agent: other.name }))).rejects.toMatchObject({ code: "forbidden" });
    await expect(createConversation(runtime(), draft({ agent: "nobody" }))).rejects.toMatchObject({ code: "not_found" });
  });
});
