import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { ToolsChange } from "@/contracts/tools/tools";
import { auditEvents, workspaces } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, type BuiltWorkspace, buildWorkspace } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { useTestDatabase } from "@/server/testing/test-database";
import { callEndEvents } from "../call-end-events";
import { changeTools } from "./change-tools";
import { getTool } from "./get-tool";
import { listTools } from "./list-tools";
import { getToolUsage } from "./tool-usage";

useTestDatabase();

let built: BuiltWorkspace;
beforeEach(async () => {
  built = await buildWorkspace();
  await addBuiltinTools(built.workspace.id);
});

const admin = () => authorize(built.admin, "tools:write");
const reader = () => authorize(built.viewer, "tools:read");
const eventsOf = (tool: string) =>
  db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.workspaceId, built.workspace.id), eq(auditEvents.tool, tool)));

test("many tools change in one step, each with its audit row, and what was so already is not told", async () => {
  const before = await configVersion();
  const result = await changeTools(admin(), { tools: ["read_file", "url_fetch", "read_file"], tier: "extension" });
  expect(result).toEqual({ changed: ["read_file", "url_fetch"], refused: [] });
  expect((await getTool(reader(), "read_file")).tier).toBe("extension");
  expect(await eventsOf("url_fetch")).toMatchObject([
    { event: "tool.tier_changed", data: { tier: "extension", before: { tier: "core" } } },
  ]);
  expect(await configVersion()).toBe(before + 1);
  expect(await changeTools(admin(), { tools: ["read_file"], tier: "extension" })).toEqual({ changed: [], refused: [] });
  expect(await configVersion()).toBe(before + 1);
});

test("a tool that stays as it is says why, and the others change", async () => {
  const result = await changeTools(admin(), { tools: ["enable_tool", "date_time", "not_there"], enabled: false });
  expect(result.changed).toEqual(["date_time"]);
  expect(result.refused).toEqual([
    { tool: "enable_tool", code: "conflict", reason: expect.stringContaining("cannot be disabled") },
    { tool: "not_there", code: "not_found", reason: expect.stringContaining("not_there") },
  ]);
  const tiers = await changeTools(admin(), { tools: ["enable_tool"], tier: "extension" });
  expect(tiers.refused).toMatchObject([{ tool: "enable_tool", code: "tier_locked" }]);
});

test("a change of another workspace's tools changes nothing there", async () => {
  const other = await buildWorkspace();
  await addBuiltinTools(other.workspace.id);
  const theirs = await getTool(authorize(other.viewer, "tools:read"), "date_time");
  const result = await changeTools(admin(), { tools: [theirs.id], enabled: false });
  expect(result.refused).toMatchObject([{ tool: theirs.id, code: "not_found" }]);
  expect((await getTool(authorize(other.viewer, "tools:read"), "date_time")).enabled).toBe(true);
});

test("every tool of a workspace changes at once", async () => {
  const { items } = await listTools(reader(), {});
  const result = await changeTools(admin(), { tools: items.map(({ name }) => name), enabled: false });
  const left = (await listTools(reader(), { enabled: true })).items.map(({ name }) => name);
  expect(left.sort()).toEqual(result.refused.map(({ tool }) => tool).sort());
});

test("a change says either whether the tools are on, or their tier", () => {
  for (const body of [{ tools: ["a"] }, { tools: ["a"], enabled: true, tier: "core" }]) {
    expect(ToolsChange.safeParse(body).error?.issues[0]?.message).toBe("send either enabled or tier");
  }
});

test("the usage of a tool counts the calls of 30 days that ended, by how they ended", async () => {
  expect(await getToolUsage(reader(), "date_time")).toEqual({ days: 30, calls: 0, failures: 0, refusals: 0, pending: 0, lastUsedAt: null });
  const other = await buildWorkspace();
  const row = { workspaceId: built.workspace.id, actorType: "user" as const, actorId: "u", actorName: "U", tool: "date_time" };
  const at = new Date(Date.now() - 60_000);
  const old = new Date(Date.now() - 31 * 86_400_000);
  await db()
    .insert(auditEvents)
    .values([
      ...callEndEvents.map((event) => ({ ...row, id: newId(), at, event })),
      { ...row, id: newId(), at: old, event: "call.succeeded" },
      { ...row, id: newId(), at, event: "call.promoted" },
      { ...row, id: newId(), at, event: "call.succeeded", tool: "read_file" },
      { ...row, id: newId(), at, event: "call.succeeded", workspaceId: other.workspace.id },
    ]);
  const usage = { days: 30, calls: callEndEvents.length, failures: 3, refusals: 3, pending: 0, lastUsedAt: at.toISOString() };
  expect(await getToolUsage(reader(), "date_time")).toEqual(usage);
  await expect(getToolUsage(reader(), "not_there")).rejects.toMatchObject({ code: "not_found" });
});

async function configVersion(): Promise<number> {
  const [row] = await db().select({ version: workspaces.configVersion }).from(workspaces).where(eq(workspaces.id, built.workspace.id));
  return row?.version ?? 0;
}
