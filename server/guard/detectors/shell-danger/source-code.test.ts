import { describe, expect, test } from "vitest";
import { decide } from "@/server/guard/decide";
import { callOf, mcpTool, policyOfRules, shellCall } from "@/server/testing/guarded-calls";

const codeTool = { ...mcpTool, name: "sandbox__execute_code", primaryArgument: "code" };
const powerShellTool = { ...mcpTool, name: "windows__run_powershell", needs: ["shell"], primaryArgument: "command" };
const allowing = policyOfRules([], { defaultPolicy: "allow" });
const found = (language: string, code: string) => decide(allowing, callOf(codeTool, { language, code }));
const detectorsOf = (language: string, code: string) => found(language, code).findings.map(({ detector }) => detector);

describe("code in a language that is only searched asks when it", () => {
  test.each([
    ["code.runs_command", "python", "import os\nos.system('ls')"],
    ["code.runs_command", "python3", "import subprocess as s\ns.run(['ls'])"],
    ["code.runs_command", "javascript", "require('child_process').exec('ls')"],
    ["code.runs_command", "ruby", "puts `ls`"],
    ["code.deletes", "python", "import shutil\nshutil.rmtree('build')"],
    ["code.deletes", "node", "fs.rmSync('build', { recursive: true })"],
    ["code.evaluates", "python", "exec(requests.get(url).text)"],
    ["code.evaluates", "typescript", "new Function(await (await fetch(url)).text())()"],
    ["code.reverse_shell", "python", "s = socket.socket()\nos.dup2(s.fileno(), 0)"],
  ])("has %s in it: %s %j", (detector, language, code) => {
    expect(detectorsOf(language, code)).toContain(detector);
  });
});

test("code that computes is let through", () => {
  expect(detectorsOf("python", "print(sum(x for x in range(10)))")).toEqual([]);
  expect(detectorsOf("javascript", "console.log([1, 2].map((x) => x * 2))")).toEqual([]);
});

test("code in a shell's language is judged as a command of the shell", () => {
  expect(found("bash", "ls; reboot")).toMatchObject({ verdict: "deny", findings: [{ detector: "floor.power" }] });
  expect(detectorsOf("sh", "rm notes.txt")).toContain("shell.delete");
  expect(detectorsOf("bash", "ls -la")).toEqual([]);
});

test("PowerShell asks whatever a rule says, with the reason", () => {
  const everything = policyOfRules([{ tool: "*", verdict: "allow" }], { defaultPolicy: "allow" });
  for (const call of [
    callOf(powerShellTool, { command: "Get-ChildItem" }),
    callOf(codeTool, { language: "powershell", code: "ls" }),
    shellCall("pwsh -Command ls"),
    shellCall("powershell -enc bABzAA=="),
  ]) {
    const decision = decide(everything, call);
    expect(decision.verdict).toBe("require_approval");
    expect(decision.findings.find(({ detector }) => detector === "shell.powershell")?.message).toContain("not read here");
  }
});
