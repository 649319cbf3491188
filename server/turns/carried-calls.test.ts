import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { agents, auditEvents, mcpServers } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import { authorize, buildConversation } from "@/server/testing/builders";
import { addBuiltinTools, builtinTools } from "@/server/testing/builtin-tools";
import { approverActor, neverAborted, onlyApproval, submitCalls, useStage } from "@/server/testing/stage";
import { replaceTools } from "@/server/testing/test-tools";
import { defineTool } from "@/server/tools/define-tool";
import { listConversationTools } from "@/server/tools/list-conversation-tools";
import { decideWithEdits } from "./answers/decide-with-edits";
import { waitForTurn } from "./read/wait-for-turn";

const stage = useStage();

const listing = () => listConversationTools(authorize(stage.built.viewer, "tools:read"), stage.conversationId, "openai");
const names = async () => (await listing()).tools.map((tool) => (tool as { function: { name: string } }).function.name);

/** The tools of the probe server become extension tools, beside the builtin ones. */
beforeEach(async () => {
  const { id } = stage.built.workspace;
  await addBuiltinTools(id);
  await db().update(mcpServers).set({ disclosureTier: "extension" }).where(eq(mcpServers.id, stage.serverId));
  await db().transaction((tx) => bumpConfigVersion(tx, id));
});

describe("tool_call", () => {
  test.each([
    ["an object", { toolName: "look", arguments: { text: "a" } }],
    ["the text of an object", { toolName: "look", arguments: '{"text": "a"}' }],
    ["other names of its parameters", { name: "look", args: { text: "a" } }],
  ])("runs an extension tool at once, with its arguments as %s", async (_title, args) => {
    const [direct] = (await submitCalls(stage, [["look", { text: "a" }]])).calls;
    expect(direct).toMatchObject({ status: "failed", content: expect.stringContaining("not active yet") });
    const [call] = (await submitCalls(stage, [["tool_call", args]])).calls;
    expect(call).toMatchObject({ name: "look", requestedName: "look", carriedBy: "tool_call", status: "succeeded", content: "saw a" });
    expect(await names()).not.toContain("look");
  });

  test("is decided, asked, edited, run and audited as the call that it carries", async () => {
    const asked = await submitCalls(stage, [["tool_call", { toolName: "change", arguments: { text: "all" } }]]);
    const { id, toolName, arguments: shown } = await onlyApproval(asked.id);
    expect([toolName, shown]).toEqual(["change", { text: "all" }]);
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    await decideWithEdits(approverActor(stage), id, { decision: "approve", comment: "", arguments: { text: "part" } });
    expect((await waiting).calls[0]).toMatchObject({ name: "change", status: "succeeded" });
    expect(stage.log).toEqual(["change part"]);
    const rows = await db().select().from(auditEvents).where(eq(auditEvents.turnId, asked.id));
    expect(rows.filter(({ tool }) => tool === "tool_call")).toEqual([]);
    expect(rows.find(({ event }) => event === "call.succeeded")).toMatchObject({ tool: "change", data: { carriedBy: "tool_call" } });
  });

  test("fails with a sentence when it carries nothing, itself or an unknown tool", async () => {
    const { calls } = await submitCalls(stage, [
      ["tool_call", {}],
      ["tool_call", { toolName: "tool_call", arguments: { toolName: "look" } }],
      ["tool_call", { toolName: "nothing_such", arguments: {} }],
      ["tool_call", { toolName: "look", arguments: { text: 7 } }],
      ["tool_call", '{"toolName": "look", "argum'],
    ]);
    expect(calls.map(({ status }) => status)).toEqual(Array(5).fill("failed"));
    expect(calls.map(({ content }) => content)).toEqual([
      expect.stringContaining("missing required param: toolName"),
      expect.stringContaining("tool_call cannot call itself"),
      expect.stringContaining("Tool not found: nothing_such"),
      expect.stringContaining("The arguments of look do not fit"),
      expect.stringContaining("not valid JSON"),
    ]);
    expect(stage.log).toEqual([]);
  });

  test("carries nothing for an agent without tools", async () => {
    await db().update(agents).set({ disclosureMode: "none" }).where(eq(agents.id, stage.built.agent.id));
    await db().transaction((tx) => bumpConfigVersion(tx, stage.built.workspace.id));
    expect(await listing()).toMatchObject({ tools: [], directory: "", hints: "" });
    const { calls } = await submitCalls(stage, [["tool_call", { toolName: "look", arguments: {} }], ["date_time"]]);
    for (const call of calls) expect(call).toMatchObject({ status: "failed", content: expect.stringContaining("not available") });
  });
});

describe("the tools of an agent", () => {
  test("are found by tool_search, described by tool_describe, and enabled several at once", async () => {
    const { calls } = await submitCalls(stage, [
      ["tool_search", { query: "writing" }],
      ["tool_search", {}],
      ["tool_describe", { toolName: "change" }],
      ["tool_describe", { toolName: "chagne" }],
      ["enable_tool", { toolName: "look, change, nothing_such" }],
      ["enable_tool", { toolName: "lok" }],
    ]);
    expect(calls.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^(- .*\n)*- change \(mcp:probe\): Writes Takes text\./),
      expect.stringMatching(/mcp:probe: \d+/),
      expect.stringMatching(/^change \(mcp:probe, effect: write\)\nWrites\nArguments: \{"type":"object"/),
      expect.stringContaining("Did you mean change"),
      expect.stringMatching(/'look' is now active.*\n.*'change' is now active.*\n.*'nothing_such' is not available/),
      expect.stringContaining("Did you mean look"),
    ]);
    expect((await names()).slice(-2)).toEqual(["look", "change"]);
  });

  test("over the budget of schemas stay in the directory, the least used first, until they are enabled", async () => {
    const big = (name: string) =>
      defineTool({
        name,
        title: name,
        description: "Has a long schema",
        family: "probe",
        tier: "core",
        effect: "read",
        needs: [],
        input: z.object({ text: z.string().default("").describe(`${name} number word `.repeat(1_000)) }),
        execute: async () => name,
      });
    const { id } = stage.built.workspace;
    await db().update(mcpServers).set({ disclosureTier: "core" }).where(eq(mcpServers.id, stage.serverId));
    await replaceTools(id, stage.serverId, ["one", "two", "three", "four", "five"].map(big));
    await db().transaction((tx) => bumpConfigVersion(tx, id));
    expect((await submitCalls(stage, [["five"]])).calls[0]).toMatchObject({ status: "succeeded" });
    await db().transaction((tx) => bumpConfigVersion(tx, id));
    const before = await listing();
    expect(before.tokens.tools).toBeLessThan(13_500);
    expect(before.directory).toContain("- four: Has a long schema");
    expect(await names()).toContain("five");
    expect(await names()).not.toContain("four");
    expect((await submitCalls(stage, [["four"]])).calls[0]).toMatchObject({ status: "succeeded", content: "four" });
    expect((await submitCalls(stage, [["enable_tool", { toolName: "four" }]])).calls[0]?.content).toContain("is now active");
    expect((await names()).at(-1)).toBe("four");
    expect((await submitCalls(stage, [["enable_tool", { toolName: "four" }]])).calls[0]?.content).toContain("already directly callable");
  });

  test("that are for private conversations are neither listed, found nor run in a group", async () => {
    const tool = builtinTools.find(({ name }) => name === "date_time");
    if (!tool) throw new Error("date_time is gone");
    tool.hiddenInGroups = true;
    onTestFinished(() => {
      tool.hiddenInGroups = false;
    });
    await db().transaction((tx) => bumpConfigVersion(tx, stage.built.workspace.id));
    expect(await names()).toContain("date_time");
    expect((await submitCalls(stage, [["date_time"]])).calls[0]).toMatchObject({ status: "succeeded" });
    stage.conversationId = (await buildConversation(stage.built.agentKey, { channel: "telegram:group" })).id;
    expect(await names()).not.toContain("date_time");
    const { calls } = await submitCalls(stage, [["date_time"], ["tool_call", { toolName: "date_time", arguments: {} }]]);
    for (const call of calls) expect(call).toMatchObject({ status: "failed", content: expect.stringContaining("not available") });
    const [found] = (await submitCalls(stage, [["tool_search", { query: "date and time" }]])).calls;
    expect(found?.content).not.toContain("date_time");
  });
});
