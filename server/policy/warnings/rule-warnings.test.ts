import { describe, expect, test } from "vitest";
import { mcpTool, readTool, shellTool, writeTool } from "@/server/testing/guard/guarded-calls";
import type { WarnedRule } from "./machine-programs";
import { ruleWarnings } from "./rule-warnings";

const tools = [
  shellTool,
  { ...shellTool, name: "process" },
  { ...shellTool, name: "execute_code", primaryArgument: "code" },
  readTool,
  { ...readTool, name: "search_files" },
  writeTool,
  { ...readTool, name: "url_fetch", needs: ["http"], primaryArgument: "url" },
  { ...readTool, name: "browser_use", needs: ["browser"], primaryArgument: "action" },
  { ...readTool, name: "date_time", needs: [], primaryArgument: null },
  mcpTool,
];
const draft = { tool: "*", parameter: null, pattern: null, excludePattern: null, comparisons: [], verdict: "deny" as const };
const warningsOf = (rule: Partial<WarnedRule>, argumentNames?: ReadonlyMap<string, readonly string[]>) =>
  ruleWarnings({ ...draft, ...rule }, tools, argumentNames);

describe("a rule for a tool that does not exist", () => {
  test("is warned about, with the name that was meant", () => {
    expect(warningsOf({ tool: "shel_execute" })).toEqual([
      {
        kind: "unknown_tool",
        field: "tool",
        message: "There is no tool named shel_execute, so the rule never denies anything. Did you mean shell_execute?",
        doors: [],
        instead: { tool: "shell_execute" },
      },
    ]);
    expect(warningsOf({ tool: "fs__*", verdict: "require_approval" })).toMatchObject([
      {
        kind: "unknown_tool",
        message: "No tool's name fits fs__*, so the rule never asks about anything. GET /api/v1/tools lists the names.",
        instead: null,
      },
    ]);
  });
  test.each(["*", "notes__*", "source:http", "does:reads_path", "effect:destroy", "shell_execute"])("%s is none", (tool) => {
    expect(warningsOf({ tool }).filter(({ kind }) => kind === "unknown_tool")).toEqual([]);
  });
});

describe("an allow rule with an open pattern", () => {
  test.each([
    [{ tool: "shell_execute", pattern: "^git log" }, "^git log(?: |$)"],
    [{ tool: "needs:shell", pattern: "^npm test" }, "^npm test(?: |$)"],
    [{ tool: "execute_code", parameter: "/code", pattern: "^ls" }, "^ls(?: |$)"],
    [{ tool: "does:runs_commands", pattern: "^git log" }, "^git log(?: |$)"],
    [{ tool: "read_file", pattern: "^docs" }, "^docs(?:/|$)"],
    [{ tool: "does:writes_path", pattern: "^docs" }, "^docs(?:/|$)"],
    [{ tool: "does:connects_to", pattern: "^api\\.example\\.com" }, "^api\\.example\\.com(?::\\d+)?$"],
    [{ tool: "url_fetch", pattern: "^https://api\\.example\\.com" }, "^https://api\\.example\\.com(?:[/?#]|$)"],
    [{ tool: "notes__save_note", parameter: "command", pattern: "^git log" }, "^git log(?: |$)"],
  ])("%o is warned about, with the closed pattern", (rule, pattern) => {
    expect(warningsOf({ ...rule, verdict: "allow" })).toMatchObject([{ kind: "open_pattern", field: "pattern", instead: { pattern } }]);
    expect(warningsOf({ ...rule, pattern, verdict: "allow" })).toEqual([]);
  });
  test("is no matter for a rule that denies, and for texts of which nothing is known", () => {
    expect(warningsOf({ tool: "shell_execute", pattern: "^git log", verdict: "deny" })).toEqual([]);
    expect(warningsOf({ tool: "notes__save_note", parameter: "text", pattern: "^hello", verdict: "allow" })).toEqual([]);
  });
});

describe("a rule that leaves doors open", () => {
  test.each([
    [{ tool: "shell_execute" }, ["process", "execute_code"], { tool: "does:runs_commands" }],
    [
      { tool: "read_file", pattern: "^finance/" },
      ["shell_execute", "process", "execute_code", "search_files", "write_file"],
      { tool: "does:reads_path" },
    ],
    [
      { tool: "write_file", parameter: "path", pattern: "^finance/" },
      ["shell_execute", "process", "execute_code"],
      { tool: "does:writes_path", parameter: null },
    ],
    [{ tool: "url_fetch", pattern: "^https://x\\.example/" }, ["shell_execute", "process", "execute_code", "browser_use"], null],
    [{ tool: "url_fetch" }, ["shell_execute", "process", "execute_code", "browser_use"], { tool: "does:connects_to" }],
  ])("%o names them, and the subject that closes them", (rule, doors, instead) => {
    expect(warningsOf(rule)).toMatchObject([{ kind: "open_doors", field: "tool", doors, instead }]);
    expect(warningsOf({ ...rule, verdict: "require_approval" })).toMatchObject([{ doors }]);
  });
  test.each([
    { tool: "shell_execute", pattern: "^git commit" },
    { tool: "does:runs_commands" },
    { tool: "does:reads_path", pattern: "^finance/" },
    { tool: "needs:shell" },
    { tool: "*", pattern: "x" },
    { tool: "date_time" },
    { tool: "notes__save_note" },
    { tool: "read_file", verdict: "allow" as const },
  ])("%o leaves none", (rule) => expect(warningsOf(rule)).toEqual([]));
});

describe("a rule that leaves an MCP server's door open", () => {
  const named = (...names: string[]) => new Map([[mcpTool.name, names]]);
  test.each([
    [{ tool: "read_file", pattern: "^finance/" }, ["path"], true],
    [{ tool: "write_file", pattern: "^finance/" }, ["file_path", "text"], true],
    [{ tool: "url_fetch" }, ["url"], true],
    [{ tool: "read_file", pattern: "^finance/" }, ["to", "text"], false],
    [{ tool: "shell_execute" }, ["path", "url"], false],
  ])("%o names the tool by its arguments %o: %s", (rule, names, isNamed) => {
    const [warning] = warningsOf(rule, named(...names));
    expect(warning?.kind).toBe("open_doors");
    expect(warning?.doors.includes(mcpTool.name)).toBe(isNamed);
  });
  test("behind the tools that run commands, and before our other tools", () => {
    const many = Array.from({ length: 20 }, (_, at) => ({ ...readTool, name: `a_reader_${at}`, primaryArgument: null }));
    const [warning] = ruleWarnings({ ...draft, tool: "read_file", pattern: "^finance/" }, [...many, ...tools], named("path"));
    expect(warning?.message).toContain(
      "the rule does not hold for them: shell_execute, process, execute_code, notes__save_note, search_files, write_file and 20 more.",
    );
  });
});

describe("an allow rule for every use of a program that has a machine in its hands", () => {
  const allow = "allow" as const;
  test.each([
    ["^docker(?: |$)", "This is the machine's root. The rule allows every use of docker, which acts outside of the sandbox."],
    ["^(?:ls|sudo)(?: |$)", "This is the machine's root. The rule allows every use of sudo, which acts outside of the sandbox."],
    ["^systemctl .*", "This is the machine's root. The rule allows every use of systemctl, which acts outside of the sandbox."],
    ["^ssh(?: |$)", "This is another machine's root. The rule allows every use of ssh, which runs commands on other machines."],
    ["^kubectl ", "This is another machine's root. The rule allows every use of kubectl, which runs commands on other machines."],
    [".*", "This is the machine's root. The rule allows every program, docker, sudo and ssh included."],
  ])("%s is warned about", (pattern, message) => {
    for (const tool of ["shell_execute", "does:runs_commands", "needs:shell"]) {
      const [warning] = warningsOf({ tool, pattern, verdict: allow });
      expect(warning).toMatchObject({ kind: "machine_program", field: "pattern", instead: null });
      expect(warning?.message.startsWith(message)).toBe(true);
    }
  });
  test("without a pattern, the pattern is what is missing", () => {
    const [warning] = warningsOf({ tool: "shell_execute", verdict: allow });
    expect(warning).toMatchObject({ kind: "machine_program", field: "tool" });
    expect(warning?.message).toContain("Give shell_execute a pattern with the programs that are meant.");
  });
  test.each([
    { pattern: "^docker (?:ps|logs)(?: |$)" },
    { pattern: "^docker compose up(?: |$)" },
    { pattern: "^sudo systemctl restart nginx$" },
    { pattern: "^kubectl get(?: |$)" },
    { pattern: "^git(?: |$)" },
    { pattern: "^(?:ls|date|hostname)(?: |$)" },
    { pattern: "^docker(?: |$)", verdict: "deny" as const },
    { tool: "read_file", pattern: "^docker/" },
  ])("%o is not", (rule) => expect(warningsOf({ tool: "shell_execute", verdict: allow, ...rule })).toEqual([]));
});
