import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { shellSessions } from "@/db/schema";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { statuses, submitCalls, useStage } from "@/server/testing/stage";
import { keptEnvironment } from "./shell-session";
import { getShellSettings, updateShellSettings } from "./shell-settings";

const stage = useStage();
beforeEach(() => addBuiltinTools(stage.built.workspace.id));

const folder = () => workspaceFolder({ id: stage.conversationId, workspaceId: stage.built.workspace.id }, { sharedFolder: null });
const submit = (...commands: (string | JsonObject)[]) =>
  submitCalls(
    stage,
    commands.map((given) => ["shell_execute", typeof given === "string" ? { command: given } : given]),
    { wait: 20 },
  );
async function run(command: string, more: JsonObject = {}): Promise<string> {
  const turn = await submit({ command, ...more });
  expect(turn.status, turn.calls[0]?.content).toBe("completed");
  return turn.calls[0]?.content ?? "";
}
const session = async () => (await db().select().from(shellSessions).where(eq(shellSessions.conversationId, stage.conversationId)))[0];

describe("the next command", () => {
  test("starts in the folder and with the variables of the last one", async () => {
    expect(await run("mkdir -p a/b && cd a/b && export GREETING='héllo\nyou'")).toBe(
      "exit code 0\n[folder: a/b]\n[Paths of file tools begin at the workspace: a/b/…]\n(no output)",
    );
    expect(await run('pwd; echo "$GREETING"; unset GREETING; exit 3')).toContain(`${folder()}/a/b\nhéllo\nyou\n`);
    expect(await run('cd ..; echo "${GREETING-none}"')).toBe(
      "exit code 0\n[folder: a]\n[Paths of file tools begin at the workspace: a/…]\nnone\n",
    );
    expect(await run("pwd", { cwd: "." })).toBe(`exit code 0\n${folder()}\n`);
    expect((await session())?.folder).toBe(".");
  });

  test("of the same turn is decided again with the folder that the command before it left", async () => {
    const turn = await submit("mkdir -p deep && echo secret > deep/file && cd deep", "cat file; rm -f file");
    expect(statuses(turn)).toEqual(["succeeded", "succeeded"]);
    expect(turn.calls[1]).toMatchObject({ content: "exit code 0\n[folder: deep]\nsecret\n", arguments: { cwd: "deep" } });
    expect(turn.calls[1]?.decision?.effects).toContainEqual(
      expect.objectContaining({ kind: "delete", target: expect.objectContaining({ path: "deep/file", where: "inside" }) }),
    );
  });

  test("is judged in its own folder: a path that leaves the workspace from there is refused when the sandbox cannot show it, else asks", async () => {
    await run("mkdir -p one && cd one");
    expect((await submit("cat ../../../../etc/hostname")).calls[0]).toMatchObject({
      status: "denied",
      content: expect.stringMatching(/\/etc\/hostname belongs to Handrail itself/),
    });
    expect((await submit("cat /etc/../home")).status).toBe("suspended");
    expect(await run("touch ../beside && ls ..")).toContain("beside");
  });

  test("starts in the top folder and says so when the last folder is gone or lies outside", async () => {
    await run("mkdir gone && cd gone");
    rmSync(path.join(folder(), "gone"), { recursive: true });
    expect(await run("pwd")).toBe(`exit code 0\n[gone is gone, so this command ran in the top folder.]\n${folder()}\n`);
    expect(await run("cd /tmp")).toContain("ended in a folder outside the workspace");
    expect(await run("pwd")).toBe(`exit code 0\n${folder()}\n`);
    writeFileSync(path.join(folder(), "file"), "");
    mkdirSync(path.join(folder(), "swapped"));
    await run("cd swapped");
    await run("cd .. && rmdir swapped && ln -s / swapped; cd swapped");
    expect((await session())?.folder).toBe(".");
  });

  test("has no variable that changes what programs run, and the model is told", async () => {
    const text = await run("export NODE_OPTIONS='--require ./x' PATH=/tmp/bin:$PATH GREETING=kept");
    expect(text).toContain("Not kept for the next command: NODE_OPTIONS, PATH, because");
    expect(await run('echo "$PATH" "${NODE_OPTIONS-}" $GREETING')).toMatch(/^exit code 0\n(?!.*(?:tmp\/bin|require)).* kept$/m);
  });

  test("keeps its state sealed, and none of Handrail's own variables", async () => {
    await run("export DEPLOY_NAME=very-private");
    const row = await session();
    expect(row?.sealedEnvironment).toMatch(/^v1\./);
    expect(JSON.stringify(row)).not.toContain("very-private");
    expect(await run("echo $DEPLOY_NAME | wc -c")).toContain("13");
    expect(await run("env")).not.toMatch(/HANDRAIL_SECRET_KEY|DATABASE_URL|BASH_ENV/);
  });

  test("keeps the old state after a command that was replaced or stopped", async () => {
    await run("mkdir kept && cd kept");
    expect(await run("exec ls -d ..")).toContain("..");
    await submit({ command: "cd ..; sleep 30", timeoutSeconds: 0.3 });
    expect((await session())?.folder).toBe("kept");
  });
});

test("a variable is kept unless it changes what programs run, and at most a hundred are", () => {
  const report = {
    folder: ".",
    changed: { PORT: "1", PATH: "x", BASH_FUNC_ls: "x", GIT_DIR: "x", PAGER: "sh", DOTNET_STARTUP_HOOKS: "x", GREETING: "hi" },
    unchanged: ["OLD_NAME"],
  };
  expect(keptEnvironment({ OLD_NAME: "o", GONE_NAME: "g" }, report)).toEqual({
    environment: { OLD_NAME: "o", PORT: "1", GREETING: "hi" },
    notKept: ["BASH_FUNC_ls", "DOTNET_STARTUP_HOOKS", "GIT_DIR", "PAGER", "PATH"],
    isTooLarge: false,
  });
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x${index}`, "1"]));
  expect(keptEnvironment({}, { folder: ".", changed: many, unchanged: [] })).toMatchObject({ environment: {}, isTooLarge: true });
});

describe("shell settings", () => {
  const admin = () => authorize(stage.built.admin, "admin");
  test("give every command variables and a prefix, and the guard decides the whole command", async () => {
    await updateShellSettings(admin(), { variables: { TEAM_NAME: "blue" }, commandPrefix: "nice -n 5" }, null);
    const turn = await submit("printenv TEAM_NAME");
    expect(turn.calls[0]).toMatchObject({ arguments: { command: "nice -n 5 printenv TEAM_NAME" }, content: "exit code 0\nblue\n" });
    expect(await session()).toBeUndefined();
    const settings = await updateShellSettings(admin(), { variables: { TEAM_NAME: null }, commandPrefix: "" }, 1);
    expect(settings).toMatchObject({ variables: [], commandPrefix: "", version: 2 });
    expect(await getShellSettings(authorize(stage.built.admin, "tools:read"))).toEqual(settings);
  });

  test("refuse variables that Handrail sets, and an old version", async () => {
    for (const name of ["HOME", "BASH_ENV", "LD_PRELOAD", "HANDRAIL_COMMAND"]) {
      await expect(updateShellSettings(admin(), { variables: { [name]: "x" } }, null)).rejects.toThrow(`${name} cannot be set`);
    }
    await expect(updateShellSettings(admin(), { commandPrefix: "x" }, 7)).rejects.toMatchObject({ code: "stale_version" });
  });
});
