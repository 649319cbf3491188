import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { auditEvents, toolCalls, webhookDeliveries } from "@/db/schema";
import { setAgentTools } from "@/server/agents/agent-tools";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { authorize, buildConversation } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { createHook, createWebhook } from "@/server/testing/configure";
import { allowByDefault } from "@/server/testing/guard/default-policy";
import { hookDraft } from "@/server/testing/hook-drafts";
import { statuses, submitCalls, useStage } from "@/server/testing/stage";
import { buildTools } from "@/server/testing/test-tools";
import { getTool } from "@/server/tools/admin/get-tool";
import { updateTool } from "@/server/tools/admin/update-tool";
import { defineTool, toolResult } from "@/server/tools/define-tool";
import { getResultSettings, updateResultSettings } from "@/server/tools/results/result-settings";

const stage = useStage();
const probe = {
  title: "Probe",
  description: "A tool of a test",
  family: "probe",
  tier: "core",
  effect: "read",
  needs: [],
  input: z.object({}),
} as const;
beforeEach(async () => {
  const workspaceId = stage.built.workspace.id;
  await addBuiltinTools(workspaceId);
  await allowByDefault(workspaceId);
});

const toolsWriter = () => authorize(stage.built.admin, "tools:write");
const settle = (patch: Parameters<typeof updateResultSettings>[1]) =>
  updateResultSettings(authorize(stage.built.admin, "admin"), patch, null);
async function run(name: string, args: JsonObject = {}, on = stage) {
  const [call] = (await submitCalls(on, [[name, args]], { wait: 20 })).calls;
  if (!call) throw new Error("no call");
  return call;
}
const artifactOf = (call: Awaited<ReturnType<typeof run>>): string => {
  if (!call.truncated) throw new Error("the result was not cut");
  return call.truncated.artifactId;
};
const markerOf = (content: string) => content.slice(0, content.indexOf("\n"));

describe("a result that is cut", () => {
  test("is read on with the tool that its marker names, from the line that it names", async () => {
    const cut = await run("shell_execute", { command: "seq 1 5000; echo 'Tests: 1 failed' >&2; exit 1" });
    expect(cut).toMatchObject({ status: "failed", isError: true, truncated: { artifactId: expect.any(String) } });
    expect(cut.content).toMatch(/\]\nexit code 1\n1\n2\n/);
    expect(cut.content).toMatch(/\n5000\n\[stderr\]\nTests: 1 failed\n$/);
    const id = artifactOf(cut);
    expect(markerOf(cut.content)).toContain(`read_artifact {"id": "${id}"} reads on`);
    const startLine = Number(/left out, from startLine (\d+) on/.exec(cut.content)?.[1]);
    const page = await run("read_artifact", { id, startLine, maxLines: 2 });
    // The line of the exit code stands before the numbers.
    expect(page).toMatchObject({ status: "succeeded", truncated: null });
    expect(page.content).toContain(`\n${startLine}\t${startLine - 1}\n${startLine + 1}\t${startLine}\n`);
    expect((await run("read_artifact", { artifact_id: id, query: "tests:" })).content).toContain("5003: Tests: 1 failed");
  });

  test("is read in its own conversation alone", async () => {
    const cut = await run("flood", { chars: 50_000 });
    const { id: conversationId } = await buildConversation(stage.built.agentKey);
    for (const id of [artifactOf(cut), "0199aa00-0000-7000-8000-000000000000", "one"]) {
      const other = await run("read_artifact", { id }, { ...stage, conversationId });
      expect(other).toMatchObject({
        status: "failed",
        content: expect.stringContaining(`There is no artifact ${id} in this conversation`),
      });
    }
  });

  test("is read on by an agent with ticked tools too, and not named where an admin switched the reader off", async () => {
    const { id } = stage.built.agent;
    await setAgentTools(authorize(stage.built.admin, "agents:write"), id, ["flood"], null);
    const cut = await run("flood", { chars: 50_000 });
    expect(await run("read_artifact", { id: artifactOf(cut) })).toMatchObject({ status: "succeeded" });
    await updateTool(toolsWriter(), "read_artifact", { enabled: false }, null);
    expect(markerOf((await run("flood", { chars: 50_000 })).content)).toMatch(/kept whole as artifact \S+\]$/);
  });
});

describe("the room of a result", () => {
  test("is what the workspace says, and a tool's own limit comes first", async () => {
    await settle({ maxCharsPerResult: 20_000, maxCharsPerTurn: 40_000 });
    expect((await run("flood", { chars: 50_000 })).content.length).toBeGreaterThan(19_000);
    await updateTool(toolsWriter(), "flood", { resultLimit: 1_500 }, null);
    expect((await run("flood", { chars: 50_000 })).content.length).toBeLessThanOrEqual(1_500);
    expect(await getTool(authorize(stage.built.admin, "tools:read"), "flood")).toMatchObject({
      resultLimit: 1_500,
      overrides: { resultLimit: 1_500 },
    });
    await updateTool(toolsWriter(), "flood", { resultLimit: null }, null);
    expect(await getTool(authorize(stage.built.admin, "tools:read"), "flood")).toMatchObject({ resultLimit: 20_000 });
  });

  test("of all results of a turn is what the workspace says", async () => {
    await settle({ maxCharsPerTurn: 12_000 });
    const turn = await submitCalls(stage, [
      ["flood", { chars: 7_500 }],
      ["flood", { chars: 7_500 }],
    ]);
    expect(turn.calls.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(12_000);
  });

  test("cannot be set for a tool that pages by itself, nor to more than a turn has", async () => {
    await expect(updateTool(toolsWriter(), "read_file", { resultLimit: 2_000 }, null)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("pages its own results"),
    });
    await expect(settle({ maxCharsPerResult: 50_000 })).rejects.toMatchObject({ code: "invalid" });
    expect(await getResultSettings(authorize(stage.built.admin, "tools:read"))).toMatchObject({ maxCharsPerResult: 8_000, version: 0 });
  });

  test("is changed by one of two admins at once, and the change is in the audit", async () => {
    const saved = await settle({ maxCharsPerResult: 10_000 });
    expect(saved).toMatchObject({ maxCharsPerResult: 10_000, maxCharsPerTurn: 32_000, maskSecrets: true, version: 1 });
    await expect(updateResultSettings(authorize(stage.built.admin, "admin"), { maskSecrets: false }, 0)).rejects.toMatchObject({
      code: "stale_version",
    });
    const rows = await db()
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.workspaceId, stage.built.workspace.id), eq(auditEvents.event, "result_settings.updated")));
    expect(rows[0]?.data).toMatchObject({ new: { maxCharsPerResult: 10_000 }, old: { maxCharsPerResult: 8_000 } });
  });
});

describe("a command", () => {
  test("that takes too long is timed out, in the words of the contract", async () => {
    const call = await run("shell_execute", { command: "echo begun; sleep 60", timeoutSeconds: 2 });
    expect(call).toMatchObject({
      status: "timed_out",
      isError: true,
      content: expect.stringMatching(/^exit code -1: stopped.*\nbegun\n$/),
    });
  });

  test("has its lines filtered by a hook, header and all", async () => {
    const lines = { pattern: "^(exit code|error)", keep: true };
    const draft = hookDraft({ event: "after_tool", action: { type: "filter", lines } });
    await createHook(authorize(stage.built.admin, "hooks:write"), draft);
    const call = await run("shell_execute", { command: "echo noise; echo error one; echo noise >&2; echo error two >&2" });
    expect(call.content).toBe("exit code 0\nerror one\nerror two");
  });

  test("that fails is run again as often as its model likes: a failing test is no circle", async () => {
    for (let time = 0; time < 9; time += 1) {
      expect(await run("shell_execute", { command: "exit 1" })).toMatchObject({ status: "failed", content: "exit code 1\n(no output)" });
    }
  });
});

test("a file's text reaches the model as it is, not as JSON", async () => {
  const folder = workspaceFolder({ id: stage.conversationId, workspaceId: stage.built.workspace.id }, { sharedFolder: null });
  await run("write_file", { path: "a.ts", content: "" });
  writeFileSync(path.join(folder, "a.ts"), 'const a = "\\n\t";\n');
  expect((await run("read_file", { path: "a.ts" })).content).toBe('a.ts: lines 1 to 1 of 1.\n1\tconst a = "\\n\t";\n');
  expect(statuses({ calls: [await run("edit_file", { path: "a.ts", oldText: 'a = "\\n\t"', newText: "b = 1" })] })).toEqual(["succeeded"]);
});

describe("a secret in a result", () => {
  const secret = `ghp_${"q7Zr2Kp9Xw4Lm8Vt3Bn6Yc1Hd5Jf0GsaB12cD"}`;
  const put = (name: string, text: string) => {
    const folder = workspaceFolder({ id: stage.conversationId, workspaceId: stage.built.workspace.id }, { sharedFolder: null });
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };

  test("is masked for the model, in the artifact, in the database and in webhooks; the file keeps it", async () => {
    put("log.txt", `${"a line of a log\n".repeat(1_000)}token ${secret}\n${"a line of a log\n".repeat(1_000)}`);
    await createWebhook({
      actor: authorize(stage.built.admin, "hooks:write"),
      body: {
        name: "All",
        url: "https://example.com/hook",
        events: ["turn.finished"],
        enabled: true,
      },
    });
    const read = await run("read_file", { path: "log.txt", startLine: 1_001, maxLines: 1 });
    expect(read.content).toContain("1001\ttoken gh***cD\n[1 secret is masked here (***). Do not write the masks into files.]");
    const cut = await run("shell_execute", { command: "cat log.txt" });
    expect((await run("read_artifact", { id: artifactOf(cut), query: "token" })).content).toContain("1002: token gh***cD");
    const found = await run("shell_execute", { command: `grep -c ${secret.slice(0, 12)} log.txt` });
    expect(found.content).toBe("exit code 0\n1\n");
    const deliveries = await db().select().from(webhookDeliveries);
    expect(deliveries.length).toBeGreaterThan(0);
    const stored = JSON.stringify([deliveries, await db().select().from(toolCalls), await db().select().from(auditEvents)]);
    expect(stored).toContain("gh***cD");
    expect(stored).not.toContain(secret);
  });

  test("is masked before hooks see it, and in structured content and errors", async () => {
    await buildTools(
      stage.built.workspace.id,
      [
        defineTool({
          ...probe,
          name: "tell",
          execute: async () => toolResult({ text: "told", structuredContent: { password: "hunter2!", list: [secret] } }),
        }),
        defineTool({
          ...probe,
          name: "burst",
          execute: async () => {
            throw new Error(`cannot use ${secret}`);
          },
        }),
      ],
      { alias: "vault" },
    );
    expect((await run("tell")).structuredContent).toEqual({ password: "***", list: ["gh***cD"] });
    expect((await run("burst")).content).toContain("cannot use gh***cD");
  });

  test("is shown where an admin says so", async () => {
    await settle({ maskSecrets: false });
    put("token", `${secret}\n`);
    expect((await run("shell_execute", { command: "cat token" })).content).toBe(`exit code 0\n${secret}\n`);
  });

  test("leaves a result that is JSON as JSON", async () => {
    put("a.json", JSON.stringify({ token: secret }));
    await buildTools(
      stage.built.workspace.id,
      [defineTool({ ...probe, name: "api", execute: async () => JSON.stringify({ token: secret }) })],
      { alias: "vault" },
    );
    expect(JSON.parse((await run("api")).content)).toEqual({ token: "gh***cD" });
  });
});
