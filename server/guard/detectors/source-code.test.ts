import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { buildRequest, mcpTool, policyOfRules, writeTool } from "@/server/testing/guarded-calls";
import { decide } from "../decide";

const policy = policyOfRules([{ verdict: "allow" }]);
const foundIn = (args: JsonObject, name = "sandbox__run_code") =>
  decide(policy, buildRequest({ ...mcpTool, name }, args)).findings.filter(({ detector }) => detector.startsWith("code."));
const idsIn = (code: string, language = "python") => foundIn({ language, code }).map(({ detector }) => detector.slice(5));

test.each([
  ["os.system('id')", ["runs_command"]],
  ["subprocess.run(['id'])", ["runs_command"]],
  ["require('child_process')", ["runs_command"]],
  ["x = `id`", ["runs_command"]],
  ["Runtime.getRuntime().exec(x)", ["runs_command", "evaluates"]],
  ["os.remove('a')", ["deletes"]],
  ["shutil.rmtree('a')", ["deletes"]],
  ["fs.unlinkSync('a')", ["deletes"]],
  ["FileUtils.rm 'a'", ["deletes"]],
  ["eval(x)", ["evaluates"]],
  ["pickle.loads(x)", ["evaluates"]],
  ["new Function('x')", ["evaluates"]],
  ["b64decode(x)", ["evaluates"]],
  ["import socket, pty; s = socket.socket(); pty.spawn('sh')", ["runs_command", "reverse_shell"]],
  ["s = socket.socket(); os.dup2(s.fileno(), 0)", ["reverse_shell"]],
  ["$s = fsockopen('h', 1)", ["reverse_shell"]],
  // A connection alone, or a copied descriptor alone, is ordinary.
  ["s = socket.socket(); s.connect(x)", []],
  ["os.dup2(1, 2)", []],
  ["print(sum([1, 2]))", []],
  ["evaluation = removed + compiled", []],
])("%s is found as %j", (code, ids) => {
  expect(idsIn(code)).toEqual(ids);
});

test("a finding names the word that it was found by", () => {
  expect(foundIn({ language: "js", code: "const x = require('child_process')" })).toMatchObject([
    { verdict: "require_approval", message: "Source code starts programs: `child_process`.", excerpt: "child_process" },
  ]);
  expect(foundIn({ language: "py", code: "socket.socket(); os.dup2(1, 0)" })).toMatchObject([{ verdict: "deny", severity: "critical" }]);
});

test("only source code that the call runs is looked at: not a shell's, and no text that is stored", () => {
  expect(foundIn({ language: "bash", code: "eval x" })).toEqual([]);
  expect(foundIn({ text: "os.system('id')" }, "notes__save_note")).toEqual([]);
  expect(decide(policy, buildRequest(writeTool, { path: "a.py", content: "os.system('id')" })).findings).toEqual([]);
  expect(foundIn({ source: "os.system('id')" }, "sandbox__run_python")).toHaveLength(1);
});
