import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "@/contracts/common";
import { buildRequest, mcpTool, policyOfRules } from "@/server/testing/guard/guarded-calls";
import { decide } from "../decide";
import { type ArgumentPlace, findCommandArguments } from "./command-arguments";

const commandsOf = (args: JsonObject, name = "sandbox__bash", source: "mcp" | "builtin" = "mcp") =>
  findCommandArguments(buildRequest({ ...mcpTool, name, source }, args));
const textsOf = (...asked: Parameters<typeof commandsOf>) => commandsOf(...asked).map(({ text }) => text);

describe("a command that a tool evidently runs", () => {
  test.each<[JsonObject, string]>([
    [{ command: "rm -rf /" }, "files__do"],
    [{ shell_command: "rm -rf /" }, "files__do"],
    [{ shellCommand: "rm -rf /" }, "files__do"],
    [{ "command-line": "rm -rf /" }, "files__do"],
    [{ command: "rm", args: ["-rf", "/"] }, "files__do"],
    [{ command: "rm", args: "-rf /" }, "files__do"],
    [{ command: "rm", flags: ["-rf"], arguments: ["/"] }, "files__do"],
    [{ program: "rm", arguments: ["-rf", "/"] }, "files__do"],
    [{ executable: "rm", params: ["-rf", "/"] }, "files__do"],
    [{ argv: ["rm", "-rf", "/"] }, "files__do"],
    [{ command: ["rm", "-rf", "/"] }, "files__do"],
    [{ command: ["kill", "-9", 1] }, "files__do"],
    [{ commands: [["ls"], ["rm", "-rf", "/"]] }, "files__do"],
    [{ commands: ["ls", "reboot"] }, "files__do"],
    [{ commands: [{ command: "rm -rf /" }] }, "files__do"],
    [{ input: { command: "rm -rf /" } }, "files__do"],
    [{ params: { command: "rm -rf /" } }, "files__do"],
    [{ job: { steps: [{ run: "rm -rf /" }] } }, "files__do"],
    [{ command: { raw: "rm -rf /" } }, "files__do"],
    [{ command: { script: ["rm -rf /"] } }, "files__do"],
    [{ language: "bash", code: "rm -rf /" }, "sandbox__run_code"],
    [{ request: { language: "sh", source: "rm -rf /" } }, "sandbox__run_code"],
    [{ script: "rm -rf /" }, "sandbox__bash"],
    [{ lines: ["ls", "rm -rf /"] }, "sandbox__bash"],
    [{ args: ["rm", "-rf", "/"] }, "sandbox__bash"],
    [{ request: { args: "rm -rf /" } }, "sandbox__bash"],
    [{ text: "reboot" }, "sandbox__bash"],
    [{ what: "rm -rf /" }, "sandbox__bash"],
    [{ what: { is: ["rm", "-rf", "/"] } }, "sandbox__bash"],
    [{ program: "reboot" }, "sandbox__bash"],
    [{ script: "rm -rf /" }, "ssh__execute"],
    [{ code: "rm -rf /" }, "remote__run_script"],
    [{ input: "rm -rf /" }, "docker__exec"],
  ])("stands in %j of %s: the floor holds", (args, name) => {
    const { verdict, findings } = decide(policyOfRules([{}]), buildRequest({ ...mcpTool, name }, args), 0);
    expect({ verdict, detector: findings[0]?.detector }).toEqual({ verdict: "deny", detector: expect.stringMatching(/^floor\./) });
  });

  test.each<[JsonObject, string]>([
    [{ title: "rm -rf /", body: { text: "reboot" } }, "notes__save"],
    [{ program: "reboot" }, "tv__show"],
    [{ args: ["rm", "-rf", "/"] }, "notes__save"],
    [{ script: "rm -rf /" }, "browser__run_script"],
    [{ code: "rm -rf /" }, "sandbox__run_python"],
    [{ input: "rm -rf /" }, "agent_server__run"],
    [{ input: "rm -rf /" }, "workflow__execute"],
    [{ language: "python", code: "ls" }, "sandbox__run_code"],
    [{ command: "", commands: [], argv: [""], args: [] }, "notes__save"],
    [{ command: 5, run: null, exec: true }, "notes__save"],
  ])("is none in %j of %s", (args, name) => expect(textsOf(args, name).filter((text) => text !== "''")).toEqual([]));
  test("is none of a builtin tool's, but for code in a shell's language", () => {
    expect(textsOf({ command: "ls" }, "run_code", "builtin")).toEqual([]);
    expect(textsOf({ language: "bash", code: "ls" }, "run_code", "builtin")).toEqual(["ls"]);
    expect(textsOf({ language: "python", code: "ls" }, "run_code", "builtin")).toEqual([]);
  });
  test.each<[JsonObject, string, string[]]>([
    [{ commands: [["ls", "a"]] }, "notes__save", ["ls a", "ls", "a"]],
    [{ commands: { script: "ls a" } }, "notes__save", ["ls a"]],
    [{ commands: ["ls", 5, " "] }, "notes__save", ["ls 5 ' '", "ls"]],
    [{ command: ["a b", true, null, {}] }, "notes__save", ["'a b' true", "a b"]],
    [{ command: "  " }, "notes__save", []],
    [{ command: "echo", args: " " }, "notes__save", ["echo"]],
    [{ command: "echo", args: "a [b]" }, "notes__save", ["echo a [b]"]],
    [{ command: "echo", args: " {a}" }, "notes__save", ["echo ' {a}'"]],
    [{ command: "echo", args: 5 }, "notes__save", ["echo"]],
    [{ command: "", args: ["a"] }, "notes__save", []],
    [{ title: "bash", code: "ls a" }, "notes__save", []],
    [{ language: 5, code: "ls a" }, "notes__save", []],
    [{ language: "bash", what: "ls a" }, "notes__save", []],
    [{ language: "bash", text: "ls a", command: "id" }, "notes__save", ["ls a", "id"]],
    [{ language: "bash", program: "reboot" }, "notes__save", ["reboot"]],
    // In a shell's call, further arguments are commands.
    [{ language: "bash", what: "ls a" }, "sandbox__bash", ["ls a"]],
    [{ text: "ls a", what: "id a" }, "sandbox__bash", ["ls a", "id a"]],
    [{ text: "ls a", command: "id" }, "sandbox__bash", ["id"]],
    [{ text: "ls a", what: "id", args: [] }, "sandbox__bash", ["ls a"]],
    [{ what: ["ls", "a"] }, "sandbox__bash", ["ls a"]],
    [{ scripts: ["ls", "id"] }, "sandbox__bash", ["ls id", "ls", "id"]],
    [{ script: ["ls", "id"] }, "sandbox__bash", ["ls id"]],
    [{ script: "ls", args: "-a" }, "sandbox__bash", ["ls -a"]],
    [{ args: "ls" }, "sandbox__bash", ["ls"]],
    [{ args: [] }, "sandbox__bash", []],
    [{ what: 5, which: "ls" }, "sandbox__bash", []],
    // Tools that are a shell by their name.
    [{ script: "ls a" }, "sshRun", ["ls a"]],
    [{ script: "ls a" }, "vm__spawn", ["ls a"]],
    [{ script: "ls a" }, "ssh__run_xcode", ["ls a"]],
    [{ script: "ls a" }, "ssh__run_tester", ["ls a"]],
    [{ script: "ls a" }, "ssh__run_test", []],
    [{ script: "ls a" }, "ssh__copy", []],
    [{ script: "ls a" }, "notes__run", []],
    [{ script: "ls a" }, "openssh__run", []],
    [{ script: "ls a" }, "sshd__run", []],
    [{ script: "ls a" }, "ssh__rerun", []],
    [{ script: "ls a" }, "ssh__runs", []],
    [{ script: "ls a" }, "nutshell__open", []],
    [{ script: "ls a" }, "shells__open", []],
    [{ script: "ls a" }, "bash_sql", []],
  ])("in %j of %s is one of %j", (args, name, texts) => expect(textsOf(args, name).sort()).toEqual([...texts].sort()));
  test("leaves out what stands beside it for people to read", () => {
    expect(textsOf({ command: "ls", description: "Look; then reboot", text: "a b" })).toEqual(["ls"]);
  });
  test("has words of other arguments behind it, each quoted as it has to be", () => {
    expect(commandsOf({ command: "echo", args: ["a b", "it's", "c"] })).toEqual([
      { text: "echo 'a b' 'it'\\''s' c", written: "echo", place: { name: "command", inside: null, depth: 1 } },
    ]);
    expect(textsOf({ command: "ask", options: '{"a": 1}' })).toEqual(["ask '{\"a\": 1}'"]);
  });
  test("says what is written of it in one argument", () => {
    expect(commandsOf({ a: { b: { command: "id" } } })).toEqual([
      { text: "id", written: null, place: expect.objectContaining({ name: "command", depth: 3 }) },
    ]);
    expect(commandsOf({ loud: true, args: ["rm", "x"] })).toEqual([
      { text: "rm x", written: null, place: { name: "args", inside: null, depth: 1 } },
    ]);
  });
  test("says where it stands", () => {
    const way = (place: ArgumentPlace | null): string => (place === null ? "" : `${way(place.inside)}/${place.name}`);
    const found = commandsOf({ jobs: [{ commands: ["ls", "ls -a"] }], input: { command: "id" } });
    expect(Object.fromEntries(found.map(({ text, place }) => [text, way(place)]))).toEqual({
      "ls 'ls -a'": "/jobs/0/commands",
      ls: "/jobs/0/commands/0",
      "ls -a": "/jobs/0/commands/1",
      id: "/input/command",
    });
  });
});

test("a call with more commands than are looked at is denied", () => {
  const verdict = (commands: Json) => decide(policyOfRules([{}]), buildRequest(mcpTool, { commands }), 0).verdict;
  expect(verdict(Array.from({ length: 40 }, () => "ls"))).toBe("allow");
  expect(verdict(Array.from({ length: 101 }, () => "ls"))).toBe("deny");
  const lines = (length: number) => Array.from({ length }, (_, index) => `ls ${index}`);
  // The joined list counts as one more command.
  expect(textsOf({ commands: lines(99) })).toHaveLength(100);
  expect(() => textsOf({ commands: lines(100) })).toThrow("too much");
  expect(() => textsOf({ text: lines(100) })).toThrow("too much");
  expect(textsOf({ jobs: lines(100).map((command) => ({ command })) })).toHaveLength(100);
  expect(verdict(Array.from({ length: 101 }, () => ({ command: "ls" })))).toBe("deny");
});

test("commands are found however deep they are nested, and none in thousands of other names", () => {
  let nested: Json = { command: "reboot" };
  for (let depth = 0; depth < 50_000; depth += 1) nested = depth % 2 ? [nested] : { a: nested };
  expect(textsOf({ nested })).toEqual(["reboot"]);
  const many = Object.fromEntries(Array.from({ length: 8_000 }, (_, index) => [`command${index}`, "a b"]));
  expect(textsOf(many, "notes__save")).toEqual([]);
});
