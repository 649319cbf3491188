import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { buildConversation } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { allowByDefault } from "@/server/testing/guard/default-policy";
import { submitCalls, useStage } from "@/server/testing/stage";
import { buildTools } from "@/server/testing/test-tools";
import { defineTool, toolResult } from "@/server/tools/define-tool";

const stage = useStage();
const rows = Array.from({ length: 400 }, (_, index) => `${index};Customer ${index};${index * 3}`);
const table = `id;name;sum\n${rows.join("\n")}\n`;
const download = defineTool({
  name: "download",
  title: "Download",
  description: "A tool of a test that hands over files",
  family: "probe",
  tier: "core",
  effect: "read",
  needs: [],
  input: z.object({}),
  execute: async () =>
    toolResult({
      text: "Downloaded 2 files.",
      files: [
        { name: "export.csv", mediaType: "text/csv", bytes: Buffer.from(table) },
        { name: "data.json", mediaType: "application/json", bytes: Buffer.from('{"a": {"b": 7}}') },
      ],
    }),
});

beforeEach(async () => {
  const workspaceId = stage.built.workspace.id;
  await addBuiltinTools(workspaceId);
  await buildTools(workspaceId, [download], { alias: "shop" });
  await allowByDefault(workspaceId);
});

async function run(name: string, args: JsonObject = {}, on = stage) {
  const [call] = (await submitCalls(on, [[name, args]], { wait: 20 })).calls;
  if (!call) throw new Error("no call");
  return call;
}

/** Makes extension tools callable in a conversation. */
async function enable(names: readonly string[], on = stage): Promise<void> {
  for (const toolName of names) expect((await run("enable_tool", { toolName }, on)).status).toBe("succeeded");
}

/** Returns the paths that a result names for its files. */
async function downloaded(): Promise<{ csv: string; json: string }> {
  const { content } = await run("download");
  const [, csv, json] = /\[export\.csv is (artifact:\S+), data\.json is (artifact:\S+)\]$/.exec(content) ?? [];
  if (!csv || !json) throw new Error(`The result names no files: ${content}`);
  return { csv, json };
}

test("a file that a result names is a path for every tool that reads", async () => {
  const { csv, json } = await downloaded();
  await enable(["detect_file_type", "extract_document", "json_read", "send_file", "render_docx"]);
  expect((await run("read_file", { path: csv, startLine: -1 })).content).toContain("401\t399;Customer 399;1197");
  expect((await run("read_file", { path: csv, startLine: 2, maxLines: 1 })).content).toContain("2\t0;Customer 0;0");
  expect((await run("search_files", { path: csv, query: "Customer 77;" })).content).toBe(
    `${csv}:79: 77;Customer 77;231\n[1 line in 1 file]`,
  );
  expect((await run("search_files", { path: csv, query: "customer 1", mode: "count", ignoreCase: true })).content).toContain(`${csv}: 111`);
  expect((await run("search_files", { path: csv, query: "nobody" })).content).toContain("No line matches.");
  expect(JSON.parse((await run("detect_file_type", { path: csv })).content)).toMatchObject({
    path: csv,
    mediaType: "text/csv",
    suggestedTool: "read_file",
    bytes: Buffer.byteLength(table),
  });
  expect((await run("extract_document", { path: csv })).content).toContain("id;name;sum\n0;Customer 0;0");
  expect((await run("json_read", { path: json, pointer: "/a/b" })).content).toContain("7");
  expect((await run("send_file", { path: csv })).content).toContain("Sent export.csv (text/csv");
  expect((await run("render_docx", { path: csv })).content).toContain("Rendered export.csv.docx");
});

test("a tool that writes refuses it before anything is done", async () => {
  const { csv, json } = await downloaded();
  await enable(["json_write", "patch"]);
  for (const [name, args] of [
    ["write_file", { path: csv, content: "x" }],
    ["edit_file", { path: csv, oldText: "id", newText: "x" }],
    ["json_write", { path: json, pointer: "/a", value: 1 }],
    ["patch", { patch: `*** Begin Patch\n*** Update File: ${csv}\n@@\n-id;name;sum\n+x\n*** End Patch` }],
  ] as const) {
    const { status, content } = await run(name, args);
    expect([name, status === "succeeded", content]).toEqual([name, false, expect.stringContaining("can only be read")]);
  }
  expect((await run("read_file", { path: csv, maxLines: 1 })).content).toContain("1\tid;name;sum");
});

test("another conversation's artifacts and wrong ids are not there, and the sentence says what to send", async () => {
  const { csv } = await downloaded();
  const { id: conversationId } = await buildConversation(stage.built.agentKey);
  await enable(["extract_document"], { ...stage, conversationId });
  for (const path of [csv, "artifact:0199aa00-0000-7000-8000-000000000000", "artifact:export.csv"]) {
    for (const [name, args] of [
      ["read_file", { path }],
      ["extract_document", { path }],
      ["search_files", { path, query: "id" }],
    ] as const) {
      const call = await run(name, args, { ...stage, conversationId });
      expect([path, name, call.status, call.content]).toEqual([path, name, "failed", expect.stringContaining("There is no artifact")]);
    }
  }
});
