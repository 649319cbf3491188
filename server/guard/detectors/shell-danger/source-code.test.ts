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

/** Words of which each says something by itself, as they stand in source code. */
test.each<[detector: string, language: string, words: string[]]>([
  [
    "code.runs_command",
    "python",
    [
      "os.system",
      "subprocess",
      "os.popen",
      "os.exec",
      "os.spawn",
      "os.posix_spawn",
      "pty.spawn",
      "commands.getoutput",
      "asyncio.create_subprocess",
      "import pty",
      "ctypes",
      "os.fork",
      "pexpect",
      "getattr(os",
      "__import__",
      "import_module",
    ],
  ],
  [
    "code.runs_command",
    "javascript",
    [
      "child_process",
      "execSync",
      "spawnSync",
      "execFile",
      "process.binding",
      "Bun.spawn",
      "Deno.run",
      "Deno.Command",
      "worker_threads",
      "process.dlopen",
      "createRequire",
      "import(",
      "execa",
      "zx",
    ],
  ],
  ["code.runs_command", "ruby", ["system(", "popen(", "exec(", "`"]],
  [
    "code.deletes",
    "python",
    [
      "os.remove",
      "os.unlink",
      "os.rmdir",
      "os.removedirs",
      "shutil.rmtree",
      "shutil.move",
      ".unlink(",
      ".rmdir(",
      "os.truncate",
      "send2trash",
    ],
  ],
  [
    "code.deletes",
    "javascript",
    [
      "unlink(",
      "unlinkSync",
      "rmSync",
      "rmdir",
      "fs.rm(",
      "rm(",
      "promises.rm",
      "rimraf",
      "truncate",
      "Deno.remove",
      "fs-extra",
      "emptyDir",
    ],
  ],
  ["code.deletes", "ruby", ["unlink", "rmdir", "rmtree", "File.delete", "FileUtils.rm", "os.remove", "file.remove"]],
  [
    "code.evaluates",
    "python",
    ["eval(", "exec(", "compile(", "pickle.load", "marshal.load", "runpy", "execfile", "code.interact", "yaml.load(", "b64decode"],
  ],
  [
    "code.evaluates",
    "javascript",
    ["eval(", "new Function", "Function(", "vm.run", "node:vm", "require('vm')", 'require("vm")', "atob(", "setTimeout('", 'setTimeout("'],
  ],
  ["code.evaluates", "ruby", ["eval", "instance_eval", "assert(", "loadstring", "load(", "parse(text"]],
  ["code.reverse_shell", "python", ["dup2(", "pty.spawn"]],
  ["code.reverse_shell", "javascript", [".pipe(sh.stdin", "stdin.pipe", "pipe(cp.stdin"]],
  ["code.reverse_shell", "ruby", ["fsockopen", "TCPSocket", "IO::Socket"]],
])("%s is found in %s by any of its words", (detector, language, words) => {
  for (const word of words) {
    const { findings } = found(language, `x = "socket"; ${word}y`);
    const messages = findings.filter((finding) => finding.detector === detector).map(({ message }) => message);
    expect(messages.join(), word).toMatch(/^This program .+: it has `.+` in it\. Source code is only searched for words/);
  }
});

test.each(["socket", "net.connect", "net.Socket", "createConnection"])("a shell that is handed over goes by way of %s", (connection) => {
  expect(detectorsOf("python", `${connection}; dup2(x)`)).toContain("code.reverse_shell");
  expect(detectorsOf("python", "dup2(x)")).not.toContain("code.reverse_shell");
});
