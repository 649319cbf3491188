import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { activations } from "@/db/schema";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { statuses, submitCalls, useStage } from "@/server/testing/stage";
import { updateShellSettings } from "../shell-settings";
import { executeCode } from "./execute-code";
import { powershell } from "./powershell";

const stage = useStage();
beforeEach(async () => {
  await addBuiltinTools(stage.built.workspace.id);
  await db().insert(activations).values({ conversationId: stage.conversationId, toolName: "execute_code" });
});
const folder = () => workspaceFolder({ id: stage.conversationId, workspaceId: stage.built.workspace.id }, { sharedFolder: null });
const submit = (args: JsonObject) => submitCalls(stage, [["execute_code", args]], { wait: 20 });
async function run(args: JsonObject) {
  const turn = await submit(args);
  expect(turn.status, JSON.stringify(turn.calls)).toBe("completed");
  return turn.calls[0]?.content ?? "";
}
const codeFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith("handrail-code-"));

describe("strict code", () => {
  test("runs in an empty folder that is removed, without the conversation's files, /tmp and network", async () => {
    await submitCalls(stage, [["shell_execute", { command: "echo secret > file; echo secret > /tmp/file" }]], { wait: 20 });
    const before = codeFolders();
    const text = await run({
      language: "shell",
      code: `pwd; ls -A; cat ${folder()}/file /tmp/file 2>&1 | grep -c secret; echo made > made`,
    });
    expect(text).toMatch(/^exit code 0\n.*\/handrail-code-\w+\n0\n$/);
    expect(codeFolders()).toEqual(before);
    expect(existsSync(path.join(folder(), "made"))).toBe(false);
  });

  test("has no network, also where the code hides what it does", async () => {
    const turn = await submit({ language: "shell", code: "echo curl -sS --max-time 3 https: > x; sed 's|$|//example.com|' x > y; sh y" });
    expect(turn.calls[0]?.content).toContain("strict mode has no network. Use the mode project");
  });

  test.each([
    ["curl http://example.com/x", "connects to example.com, but strict mode has no network. Use the mode project"],
    ["docker ps", "strict mode has no rights of the machine. Use shell_execute"],
    ["cat /srv/x", "uses /srv/x, but strict mode has an empty folder only. Use the mode project"],
  ])("refuses %s before anybody is asked, and says what to do", async (code, sentence) => {
    const turn = await submit({ language: "shell", code });
    expect(turn).toMatchObject({ status: "completed", calls: [{ status: "failed", content: expect.stringContaining(sentence) }] });
  });

  test.each([
    ["bash", "shell"],
    ["sh", "shell"],
    ["Python3", "python"],
    ["javascript", "node"],
  ])("takes the name %s for the language %s", (given, language) => {
    expect(executeCode.parse({ language: given, code: "ls" })).toMatchObject({ ok: true, value: { language } });
  });

  test("takes neither a folder nor hosts, and no language that it does not know", () => {
    const given = { language: "shell", code: "ls" };
    expect(executeCode.parse({ ...given, cwd: "src" })).toMatchObject({
      ok: false,
      message: expect.stringContaining("cwd: belongs to the mode project"),
    });
    expect(executeCode.parse({ ...given, hosts: ["example.com"] })).toMatchObject({ ok: false });
    expect(executeCode.parse({ ...given, language: "ruby" })).toMatchObject({
      ok: false,
      message: expect.stringContaining('unsupported language "ruby"'),
    });
    expect(executeCode.parse({ code: "ls" })).toMatchObject({
      ok: false,
      message: expect.stringContaining("missing required param: language"),
    });
  });
});

test("Python and Node run after an admin turned them on, and nobody is asked about them before", async () => {
  const refused = await submit({ language: "python", code: "print(1)" });
  expect(refused.calls[0]).toMatchObject({ status: "failed", content: expect.stringContaining("no admin turned it on") });
  await updateShellSettings(authorize(stage.built.admin, "admin"), { codeLanguages: ["shell", "python", "node"] }, null);
  const python = `import sys\nprint(f"py {sum(range(4))} '$HOME'")\nsys.exit(2)`;
  expect((await submit({ language: "python", code: python })).calls[0]?.content).toBe("exit code 2\npy 6 '$HOME'\n");
  expect(await run({ language: "node", code: "console.log('node ' + [1, 2].map((n) => n * 2))" })).toBe("exit code 0\nnode 2,4\n");
  expect(await run({ language: "python", code: "import subprocess; subprocess.run(['echo', 'run'])" })).toBe("exit code 0\nrun\n");
  const connects = { language: "python", code: "import subprocess; subprocess.run(['git', 'push', 'https://example.com/a.git'])" };
  expect((await submit(connects)).calls[0]?.content).toContain("strict mode has no network");
  expect((await submit({ ...connects, mode: "project" })).status).toBe("suspended");
});

test("project code works in the folder of the conversation, and is judged there", async () => {
  await updateShellSettings(authorize(stage.built.admin, "admin"), { codeLanguages: ["shell", "python"] }, null);
  await submitCalls(stage, [["shell_execute", { command: "mkdir src && cd src && export GREETING=hi" }]], { wait: 20 });
  expect(await run({ language: "shell", code: 'echo "$GREETING" > file; cd ..', mode: "project" })).toBe("exit code 0\n(no output)");
  expect(await run({ language: "python", code: "print(open('file').read())", mode: "project" })).toBe("exit code 0\nhi\n\n");
  const shadow = await submit({ language: "shell", code: "cat /etc/shadow", mode: "project" });
  expect(shadow.calls[0]).toMatchObject({ status: "denied", content: expect.stringContaining("in which /etc/shadow cannot be shown") });
  expect((await submit({ language: "shell", code: "cat .env", mode: "project" })).status).toBe("suspended");
  expect(statuses(await submit({ language: "shell", code: "rm -rf /", mode: "project" }))).toEqual(["denied"]);
});

test("PowerShell is callable only where pwsh is installed", async () => {
  const isInstalled = ["/usr/bin/pwsh", "/bin/pwsh", "/usr/local/bin/pwsh"].some((file) => existsSync(file));
  expect((await powershell.availability?.()) === null).toBe(isInstalled);
  expect(powershell.effects?.({ command: "Get-Item ." })).toEqual([{ kind: "execute", argument: "/command", path: "." }]);
});
