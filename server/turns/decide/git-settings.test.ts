import { afterAll, beforeEach, expect, test } from "vitest";
import { endConversationNetworks } from "@/server/capabilities/sandbox/network/conversation-network";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { submitCalls, useStage } from "@/server/testing/stage";

const stage = useStage();
beforeEach(() => addBuiltinTools(stage.built.workspace.id));
afterAll(() => endConversationNetworks());

const run = async (command: string) => (await submitCalls(stage, [["shell_execute", { command }]], { wait: 20 })).calls[0];

test("a repository is made, configured and committed to unasked in the sandbox, and its harmless settings change later", async () => {
  const first = "git init -q && git config user.name A && git config user.email a@b.c && echo x > f && git add . && git commit -qm x";
  expect(await run(`${first} && git log --format=%an`)).toMatchObject({ status: "succeeded", content: expect.stringContaining("\nA") });
  expect(await run("git config user.name B && git remote add origin https://github.com/a/b.git")).toMatchObject({ status: "succeeded" });
  expect((await run("git config --get user.name; git remote"))?.content).toBe("exit code 0\nB\norigin\n");
});

test("settings of the user stay when a call of its own makes them", async () => {
  expect(await run("git config --global init.defaultBranch trunk")).toMatchObject({ status: "succeeded" });
  expect((await run("git config --global --get init.defaultBranch"))?.content).toBe("exit code 0\ntrunk\n");
});

test("a setting that starts a program asks", async () => {
  await run("git init -q");
  expect((await submitCalls(stage, [["shell_execute", { command: "git config core.hooksPath x" }]], { wait: 20 })).status).toBe(
    "suspended",
  );
});
