import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { agents } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { findConversation } from "@/server/conversations/find-conversation";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { buildConversation } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { allowByDefault } from "@/server/testing/guard/default-policy";
import { makeStageFolder, runtimeActor, submitCalls, useStage } from "@/server/testing/stage";
import { buildTools } from "@/server/testing/test-tools";
import { defineTool } from "@/server/tools/define-tool";

const stage = useStage();
let folder = "";

beforeEach(async () => {
  const workspaceId = stage.built.workspace.id;
  await addBuiltinTools(workspaceId);
  await allowByDefault(workspaceId);
  folder = await makeStageFolder(stage);
});

/** Changes the file from outside, well after all earlier calls. */
async function changeOutside(text: string): Promise<void> {
  const before = Date.now();
  await vi.waitFor(() => expect(Date.now() - before).toBeGreaterThan(150));
  writeFileSync(path.join(folder, "a.txt"), text);
}
const run = async (name: string, args: Record<string, string | number>) => (await submitCalls(stage, [[name, args]])).calls[0];
const write = (content: string) => run("write_file", { path: "a.txt", content });

test("a file that the conversation has not read is not replaced, until it is read", async () => {
  await changeOutside("theirs");
  expect(await write("ours")).toMatchObject({ isError: true, content: expect.stringContaining("has not been read in this conversation") });
  expect(await run("edit_file", { path: "a.txt", oldText: "theirs", newText: "ours" })).toMatchObject({ isError: true });
  await run("read_file", { path: "./a.txt" });
  expect(await write("ours")).toMatchObject({ status: "succeeded" });
});

test("a file that changed since it was read has to be read again", async () => {
  await changeOutside("one");
  await run("read_file", { path: "a.txt" });
  await changeOutside("two");
  expect(await write("ours")).toMatchObject({
    isError: true,
    content: expect.stringContaining("was changed after this conversation read it"),
  });
});

test("a conversation knows the files that it wrote, by whichever tool, and a new file needs no reading", async () => {
  expect(await write("one")).toMatchObject({ status: "succeeded" });
  expect(await run("edit_file", { path: "a.txt", oldText: "one", newText: "two" })).toMatchObject({ status: "succeeded" });
  expect(await write("three")).toMatchObject({ status: "succeeded" });
  await run("shell_execute", { command: "printf four > a.txt" });
  expect(await run("edit_file", { path: "a.txt", oldText: "four", newText: "five" })).toMatchObject({ status: "succeeded" });
});

test("pages of a file whose lines were not all counted are a part of it", async () => {
  await changeOutside(`${"0123456789".repeat(10)}\n`.repeat(200_000));
  expect((await run("read_file", { path: "a.txt" }))?.content).toMatch(/lines 1 to \d+ of at least \d+\./);
  expect(await write("ours")).toMatchObject({ isError: true, content: expect.stringContaining("read only in part") });
});

test("adding to the end of a file needs no reading: nothing is lost", async () => {
  await changeOutside("theirs");
  expect(await run("write_file", { path: "a.txt", content: "ours", mode: "append" })).toMatchObject({ status: "succeeded" });
});

test("a file that was read in part may be edited there, and replaced once the other pages are read too", async () => {
  await changeOutside(Array.from({ length: 30 }, (_, line) => `line ${line + 1}`).join("\n"));
  await run("read_file", { path: "a.txt", maxLines: 10 });
  expect(await write("ours")).toMatchObject({ isError: true, content: expect.stringContaining("read only in part") });
  await run("read_file", { path: "a.txt", startLine: 21 });
  expect(await write("ours")).toMatchObject({ isError: true });
  await run("read_file", { path: "a.txt", startLine: 9, endLine: 20 });
  expect(await write("ours")).toMatchObject({ status: "succeeded" });

  await changeOutside("one\ntwo\nthree");
  await run("read_file", { path: "a.txt", endLine: 1 });
  expect(await run("edit_file", { path: "a.txt", oldText: "one", newText: "1" })).toMatchObject({ status: "succeeded" });
});

test.each([
  ["that runs beside others", true],
  ["of an MCP server, alone in its turn", false],
])("a call %s does not claim what another conversation of the shared folder wrote meanwhile", async (_, concurrencySafe) => {
  await db().update(agents).set({ sharedFolder: "team" }).where(eq(agents.id, stage.built.agent.id));
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const slow = defineTool({
    ...{ name: "slow_fetch", title: "Fetch", description: "Takes its time", family: "probe", tier: "core", effect: "write", needs: [] },
    running: { concurrencySafe },
    input: z.object({}),
    execute: async () => {
      reached.resolve();
      await opened.promise;
      return "fetched";
    },
  });
  await buildTools(stage.built.workspace.id, [slow], { alias: "slow" });
  await db().transaction((tx) => bumpConfigVersion(tx, stage.built.workspace.id));
  folder = workspaceFolder(await findConversation(runtimeActor(stage), stage.conversationId), {
    ...stage.built.agent,
    sharedFolder: "team",
  });
  mkdirSync(folder, { recursive: true });
  await changeOutside("first");
  const second = { ...stage, conversationId: (await buildConversation(stage.built.agentKey)).id };
  const fetching = submitCalls(second, [["slow_fetch", {}]]);
  await reached.promise;
  // The first conversation writes meanwhile: by a file tool where the folder is free, by a person's editor where it is not.
  if (concurrencySafe) {
    await run("read_file", { path: "a.txt" });
    expect(await write("theirs")).toMatchObject({ status: "succeeded" });
  } else await changeOutside("theirs");
  opened.resolve();
  expect((await fetching).calls[0]).toMatchObject({ status: "succeeded" });
  const [refused] = (await submitCalls(second, [["write_file", { path: "a.txt", content: "mine" }]])).calls;
  expect(refused).toMatchObject({ isError: true, content: expect.stringContaining("has not been read in this conversation") });
  expect(readFileSync(path.join(folder, "a.txt"), "utf8")).toBe("theirs");
});
