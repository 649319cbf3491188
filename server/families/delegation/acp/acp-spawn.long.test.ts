import { readFile } from "node:fs/promises";
import path from "node:path";
import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { AcpAgent } from "@/contracts/agents/delegation";
import { approvals, conversations, guardRules, toolCalls, turns } from "@/db/schema";
import { installedNode, installProgram } from "@/scripts/install-program";
import { decideApproval } from "@/server/approvals/decide-approval";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { useAgents } from "@/server/testing/models/agents-at-work";
import { saying, useRunStage } from "@/server/testing/models/run-stage";
import { approverActor, neverAborted, runtimeActor, submitCalls } from "@/server/testing/stage";
import { getTool } from "@/server/tools/admin/get-tool";
import { cancelTurn } from "@/server/turns/cancel-turn";
import { waitForTurn } from "@/server/turns/read/wait-for-turn";
import { updateDelegationSettings } from "../settings";

const stage = useRunStage();
/** The program where an admin would install it: the sandbox shows no folder of Handrail. */
let program = "";
beforeAll(async () => {
  program = await installProgram("acp-agent", path.resolve("server/testing/coding-agents/acp-agent.mjs"));
});

beforeEach(async () => {
  await useAgents(stage, { default: () => saying("") });
  const workspaceId = stage.built.workspace.id;
  // Somebody looks at each agent program by default; these tests are about what it asks for itself.
  await db()
    .insert(guardRules)
    .values({ workspaceId, name: "Programs", tool: "acp_spawn", verdict: "allow", priority: 1, reason: "Tests." });
  await db().transaction((tx) => bumpConfigVersion(tx, workspaceId));
});

const allow = () => {
  const small = AcpAgent.parse({ name: "small", command: installedNode(), args: [program] });
  return updateDelegationSettings(requirePermission(stage.built.admin, "agents:write"), { acpAgents: [small] }, null);
};

const spawnProgram = (task: string, more: object = {}, wait = 20) =>
  submitCalls(stage, [["tool_call", { toolName: "acp_spawn", arguments: { agent: "small", task, ...more } }]], { wait });

const outputOf = async (task: string, more: object = {}) => JSON.parse((await spawnProgram(task, more)).calls[0]?.content ?? "{}");

const pending = () =>
  vi.waitFor(async () => {
    const [row] = await db().select().from(approvals).where(eq(approvals.status, "pending"));
    if (!row) throw new Error("nobody was asked yet");
    return row;
  });

test("without an allowed program the tool is listed with the reason, and does not run", async () => {
  const tool = await getTool(requirePermission(stage.built.viewer, "tools:read"), "acp_spawn");
  expect(tool.availability).toEqual({ status: "unavailable", reason: expect.stringContaining("no agent program is allowed") });
  expect((await spawnProgram("say hello")).calls[0]).toMatchObject({ isError: true, content: expect.stringContaining("acp_spawn is off") });
});

test("a program answers a task in an envelope, and an answer that was asked for as JSON is checked", async () => {
  await allow();
  expect(await outputOf("say hello")).toMatchObject({ status: "done", output: "hello", output_kind: "text", error: "" });
  const outputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  expect(await outputOf('say {"n":3}', { outputSchema })).toMatchObject({ status: "done", output_kind: "json", output: { n: 3 } });
  expect(await outputOf("say three", { outputSchema })).toMatchObject({ status: "failed", error: expect.stringContaining("is no JSON") });
});

test("a request for permission is a call of a conversation of its own: people decide it in the inbox", async () => {
  await allow();
  const answer = outputOf("odd Leave the house");
  const row = await pending();
  expect(row).toMatchObject({
    toolName: "acp_permission",
    arguments: { agent: "small", kind: "other", title: "Leave the house" },
    delegators: [{ agent: "default" }],
  });
  await decideApproval(approverActor(stage), row.id, { decision: "approve", comment: "" });
  expect(await answer).toMatchObject({ status: "done", output: "may" });
  const second = outputOf("odd Leave the house again");
  await decideApproval(approverActor(stage), (await pending()).id, { decision: "reject", comment: "stay" });
  expect(await second).toMatchObject({ status: "done", output: "may not" });
});

test("the guard decides commands and files of a program like those of our own tools", async () => {
  await allow();
  expect(await outputOf("run rm -rf /")).toMatchObject({ output: "may not run" });
  expect(await outputOf("write note.txt")).toMatchObject({ output: "wrote note.txt" });
  const folder = path.join(env().workspaceRoot, stage.built.workspace.id, "conversations", stage.conversationId);
  expect(await readFile(path.join(folder, "note.txt"), "utf8")).toBe("from the program\n");
  const asked = await db()
    .select({ status: toolCalls.status, allowedTools: conversations.allowedTools })
    .from(conversations)
    .innerJoin(turns, eq(turns.conversationId, conversations.id))
    .innerJoin(toolCalls, eq(toolCalls.turnId, turns.id))
    .where(eq(conversations.parentConversationId, stage.conversationId))
    .orderBy(toolCalls.id);
  expect(asked).toEqual(["denied", "succeeded"].map((status) => ({ status, allowedTools: ["acp_permission"] })));
});

test("a model can neither see nor call the tool of these requests, and it costs no tokens", async () => {
  await allow();
  const [direct, carried] = (
    await submitCalls(stage, [
      ["acp_permission", { agent: "small", kind: "other", title: "Sign here" }],
      ["tool_call", { toolName: "acp_permission", arguments: { agent: "small", kind: "other", title: "Sign here" } }],
    ])
  ).calls;
  for (const call of [direct, carried])
    expect(call).toMatchObject({ status: "failed", content: expect.stringContaining("not available to this agent") });
  const { tokens } = await getTool(requirePermission(stage.built.admin, "tools:read"), "acp_permission");
  expect(tokens).toEqual({ core: 0, extension: 0 });
});

test("a program that ends, one that is unknown and a folder outside are told to the model", async () => {
  await allow();
  expect((await spawnProgram("die")).calls[0]?.content).toContain("ended with exit code 7 before it answered");
  const calls: Parameters<typeof submitCalls>[1] = [
    ["tool_call", { toolName: "acp_spawn", arguments: { agent: "other", task: "x" } }],
    ["tool_call", { toolName: "acp_spawn", arguments: { agent: "small", task: "x", cwd: "../../.." } }],
  ];
  const turn = await submitCalls(stage, calls, { wait: 20 });
  expect(turn.calls[0]?.content).toContain('There is no agent program named "other". There are: small.');
  expect(turn.calls[1]?.content).toContain("lies outside the workspace");
});

test("cancelling the turn takes the program's open request back and ends the program", async () => {
  await allow();
  const turn = await spawnProgram("odd Leave the house", {}, 0);
  const row = await pending();
  await cancelTurn(runtimeActor(stage), turn.id, neverAborted);
  expect((await waitForTurn(turn.id, 10, neverAborted)).calls[0]?.status).toBe("cancelled");
  await vi.waitFor(async () => {
    const [after] = await db().select().from(approvals).where(eq(approvals.id, row.id));
    expect(after?.status).toBe("cancelled");
  });
});
