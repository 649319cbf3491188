import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "@/contracts/common";
import { callOf, mcpTool, policyOfRules } from "@/server/testing/guarded-calls";
import { decide } from "../decide";
import { evidentCommands, type Place } from "./evident-commands";

const commandsOf = (args: JsonObject, name = "sandbox__bash", source: "mcp" | "builtin" = "mcp") =>
  evidentCommands(callOf({ ...mcpTool, name, source }, args));
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
    const { verdict, findings } = decide(policyOfRules([{}]), callOf({ ...mcpTool, name }, args), 0);
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
  ])("is none in %j of %s", (args, name) => {
    expect(textsOf(args, name).filter((text) => text !== "''")).toEqual([]);
  });
  test("is none of a builtin tool's, but for code in a shell's language", () => {
    expect(textsOf({ command: "ls" }, "run_code", "builtin")).toEqual([]);
    expect(textsOf({ language: "bash", code: "ls" }, "run_code", "builtin")).toEqual(["ls"]);
    expect(textsOf({ language: "python", code: "ls" }, "run_code", "builtin")).toEqual([]);
  });
  test("leaves out what stands beside it for people to read", () => {
    expect(textsOf({ command: "ls", description: "Look; then reboot", text: "a b" })).toEqual(["ls"]);
  });
  test("has words of other arguments behind it, each quoted as it has to be", () => {
    expect(commandsOf({ command: "echo", args: ["a b", "it's", "c"] })).toEqual([
      { text: "echo 'a b' 'it'\\''s' c", written: "echo", place: { name: "command", inside: null, depth: 1 } },
    ]);
    expect(textsOf({ command: "ask", options: '{"a": 1}' })).toEqual(["ask '{\"a\": 1}'"]);
  });
  test("says where it stands", () => {
    const way = (place: Place | null): string => (place === null ? "" : `${way(place.inside)}/${place.name}`);
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
  const verdict = (commands: Json) => decide(policyOfRules([{}]), callOf(mcpTool, { commands }), 0).verdict;
  expect(verdict(Array.from({ length: 40 }, () => "ls"))).toBe("allow");
  expect(verdict(Array.from({ length: 101 }, () => "ls"))).toBe("deny");
  expect(verdict(Array.from({ length: 101 }, () => ({ command: "ls" })))).toBe("deny");
});

test("commands are found however deep they are nested, and none in thousands of other names", () => {
  let nested: Json = { command: "reboot" };
  for (let depth = 0; depth < 50_000; depth += 1) nested = depth % 2 ? [nested] : { a: nested };
  expect(textsOf({ nested })).toEqual(["reboot"]);
  const many = Object.fromEntries(Array.from({ length: 8_000 }, (_, index) => [`command${index}`, "a b"]));
  expect(textsOf(many, "notes__save")).toEqual([]);
});
