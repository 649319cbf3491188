import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { runMessages } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { allowByDefault } from "@/server/testing/guard/default-policy";
import type { ModelServerRequest } from "@/server/testing/models/model-protocol-server";
import { calling, giveModel, saying, start, useRunStage } from "@/server/testing/models/run-stage";
import { makeStageFolder, submitCalls } from "@/server/testing/stage";

const stage = useRunStage();
let folder = "";

beforeEach(async () => {
  const workspaceId = stage.built.workspace.id;
  await addBuiltinTools(workspaceId);
  await allowByDefault(workspaceId);
  folder = await makeStageFolder(stage);
});

const run = async (name: string, args: JsonObject) => (await submitCalls(stage, [[name, args]])).calls[0];
const read = async (args: JsonObject = {}) => (await run("read_file", { path: "a.txt", ...args }))?.content;
const put = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
const lines = "one more line of the file\n".repeat(40);

test("a page read again is answered `unchanged`, and the call after that gets it again", async () => {
  put("a.txt", lines);
  const first = await read();
  expect(first).toContain("40\tone more line");
  expect(await read({ path: "./a.txt" })).toMatch(/^a\.txt: unchanged since this conversation read the same lines/);
  expect(await read()).toBe(first);
  expect(await read()).toContain("unchanged");
});

test("another page, a changed file and a short file are sent", async () => {
  put("a.txt", lines);
  await read();
  expect(await read({ startLine: 2 })).toContain("2\tone more line");
  put("a.txt", lines.replace("one", "two"));
  expect(await read()).toContain("1\ttwo more line");
  put("b.txt", "short\n");
  for (const _time of [1, 2]) expect(await read({ path: "b.txt" })).toBe("b.txt: lines 1 to 1 of 1.\n1\tshort\n");
});

test("a page whose text was summarised away is sent again, and the file may still be replaced", async () => {
  put("a.txt", lines);
  put("long.txt", "another line of a long file\n".repeat(500));
  const isSummary = (request: ModelServerRequest) => JSON.stringify(request.body.messages).includes("You summarise a conversation");
  const script = [
    calling(["read_file", { path: "a.txt" }]),
    calling(["read_file", { path: "long.txt" }]),
    calling(["read_file", { path: "a.txt" }]),
    calling(["write_file", { path: "a.txt", content: "new" }]),
    saying("Done."),
  ];
  const server = await giveModel(
    stage,
    (request) => (isSummary(request) ? saying("Two files were read.") : (script.shift() ?? saying(""))),
    {
      runLimits: { contextTokens: 5_000 },
    },
  );
  const run = await start(stage, "Read the files, then write");
  expect(run).toMatchObject({ status: "succeeded", answer: "Done." });
  const at = server.requests.findIndex(isSummary);
  expect(at).toBeGreaterThan(0);
  const rows = await db().select().from(runMessages).where(eq(runMessages.runId, run.id)).orderBy(runMessages.position);
  const results = rows.filter(({ role }) => role === "tool").map(({ content }) => content.text);
  expect(results[2], "read again behind the summary").toContain("40\tone more line");
  expect(readFileSync(path.join(folder, "a.txt"), "utf8")).toBe("new");
});

test("an `unchanged` answer counts as reading, so the file may be replaced", async () => {
  put("a.txt", lines);
  await read();
  await read();
  expect(await run("write_file", { path: "a.txt", content: "new" })).toMatchObject({ status: "succeeded" });
});

test("the new tools go through the pipeline: read before write, and every path of a patch is judged", async () => {
  put("a.txt", lines);
  put("b.txt", "b\n");
  const patch = "*** Update File: b.txt\n-b\n+c\n*** Delete File: a.txt";
  for (const toolName of ["patch", "send_file"]) await run("enable_tool", { toolName });
  expect(await run("patch", { patch })).toMatchObject({
    isError: true,
    content: expect.stringContaining("b.txt exists already and has not been read"),
  });
  await read();
  await read({ path: "b.txt" });
  expect(await run("apply_patch", { input: patch })).toMatchObject({
    status: "succeeded",
    content: expect.stringContaining("deleted a.txt"),
  });
  expect(await run("send_file", { path: "b.txt" })).toMatchObject({
    status: "succeeded",
    contentParts: [{ type: "text" }, { type: "artifact", mediaType: "text/plain", bytes: 2 }],
  });
});
