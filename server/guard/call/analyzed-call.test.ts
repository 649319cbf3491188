import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "@/contracts/common";
import type { Effect } from "@/contracts/decisions/effects";
import { buildRequest, mcpTool, policyOfRules, readTool, shellTool } from "@/server/testing/guard/guarded-calls";
import { decide } from "../decide";
import { connects, type DeclaredEffect, deletes, fetches } from "../effects/declare-effects";
import { analyzeCall, analyzeCallIfReadable } from "./analyzed-call";
import type { GuardContext } from "./guard-request";

describe("the texts of a call", () => {
  test("are found at any depth, in their order, each with the innermost name that it stands under", () => {
    const call = buildRequest(mcpTool, { a: "1", b: { c: "2", d: ["3", { e: "4" }, ["5"]] }, f: 6, g: null, h: true, i: "7" });
    expect(analyzeCall(call).texts).toMatchObject([
      { name: "a", text: "1" },
      { name: "c", text: "2" },
      { name: "d", text: "3" },
      { name: "e", text: "4" },
      { name: "d", text: "5" },
      { name: "i", text: "7" },
    ]);
    expect(analyzeCall(buildRequest(mcpTool, {})).texts).toEqual([]);
  });

  test("are found however deep a model nests them", () => {
    let nested: Json = "deep";
    for (let depth = 0; depth < 50_000; depth += 1) nested = depth % 2 ? [nested] : { a: nested };
    expect(analyzeCall(buildRequest(mcpTool, { nested })).texts).toMatchObject([{ name: "a", text: "deep" }]);
  });
});

describe("the command of a call", () => {
  test("is that of a shell tool's primary argument, and rules and floor see it", () => {
    const { shell, scripts } = analyzeCall(buildRequest(shellTool, { command: "ls" }));
    expect(shell?.text).toBe("ls");
    expect(scripts).toEqual([shell]);
  });
  test.each([
    ["is missing", buildRequest(shellTool, {})],
    ["is no text", buildRequest(shellTool, { command: ["ls"] })],
    ["is inherited", buildRequest({ ...shellTool, primaryArgument: "toString" }, {})],
    ["is not declared", buildRequest({ ...shellTool, primaryArgument: null }, { command: "ls" })],
    ["is no shell tool's", buildRequest(readTool, { path: "ls" })],
  ])("is none where it %s", (_why, call) => expect(analyzeCall(call).shell).toBeNull());
  test("of another tool that evidently runs one is seen by the floor and by rules, as a command", () => {
    const { shell, scripts, commands } = analyzeCall(buildRequest({ ...mcpTool, name: "box__bash" }, { command: "reboot" }));
    expect(shell).toBeNull();
    expect(commands).toEqual([{ reading: scripts[0], place: { inside: null, name: "command", depth: 1 }, written: null }]);
    expect(scripts.map(({ text }) => text)).toEqual(["reboot"]);
    const call = buildRequest({ ...mcpTool, name: "box__bash" }, { command: "reboot" });
    expect(decide(policyOfRules([{ verdict: "allow" }]), call)).toMatchObject({ verdict: "deny", findings: [{ detector: "floor.power" }] });
  });
});

describe("the effects of a call", () => {
  const context = { interactive: true, folder: "/work/folder" };
  const shellEffects = (command: string, more: Partial<GuardContext> = {}) =>
    analyzeCall({ ...buildRequest(shellTool, { command }), context: { ...context, ...more } }).effects;
  const said = (effects: readonly Effect[]) =>
    effects.map(({ kind, target: { where, path, class: kindOf } }) => [kind, where, path, kindOf].filter(Boolean).join(" "));

  test("stand with the most serious first", () => {
    expect(said(shellEffects("cat a /usr/x $y; touch b; rm c; rm -r d; cat .env ../e; git reset --hard; crontab -e; sudo ls"))).toEqual([
      "elevate outside",
      "schedule outside",
      "delete inside",
      "delete inside d",
      "read outside ../e",
      "read inside .env sensitive",
      "delete inside c",
      "write inside b",
      "write inside .",
      "read not_known",
      "read inside a",
      "read outside /usr/x system",
      "read inside .",
    ]);
  });

  test("name the words of the argument that say so, however deep it stands", () => {
    const box = { ...mcpTool, name: "box__bash" };
    const evidenceIn = (args: JsonObject) => analyzeCall({ ...buildRequest(box, args), context }).effects.map(({ evidence }) => evidence);
    expect(evidenceIn({ command: "cat abc" })).toEqual([{ argument: "/command", start: 4, end: 7 }]);
    expect(evidenceIn({ "a/b~c": [{ command: "cat abc" }] })).toEqual([{ argument: "/a~1b~0c/0/command", start: 4, end: 7 }]);
    expect(shellEffects("cat abc")[0]?.evidence).toEqual({ argument: "/command", start: 4, end: 7 });
    const { effects } = analyzeCall({ ...buildRequest(readTool, { path: "~/a" }), context });
    expect(effects).toEqual([{ kind: "read", target: { where: "inside", path: "a" }, evidence: { argument: "/path", start: 0, end: 3 } }]);
  });

  test("of a tool are what it declares: paths, URLs and hosts", () => {
    const tool = (effects: DeclaredEffect[]) => ({ ...readTool, effects: () => effects });
    const effectsOf = (...declared: DeclaredEffect[]) => analyzeCall({ ...buildRequest(tool(declared), {}), context }).effects;
    expect(effectsOf()).toEqual([]);
    expect(effectsOf(fetches("/url", "https://Example.com/x"))).toMatchObject([
      { kind: "read", target: { where: "outside", host: "example.com" } },
    ]);
    expect(effectsOf(connects("/host", "10.0.0.1:80"))).toMatchObject([
      { kind: "connect", target: { host: "10.0.0.1:80", class: "private" } },
    ]);
    expect(effectsOf(deletes("/path", "src", { recursive: true }))).toMatchObject([
      { kind: "delete", recursive: true, target: { path: "src" } },
    ]);
    expect(effectsOf({ kind: "connect", argument: "/nothing" })).toMatchObject([
      { target: { where: "not_known" }, evidence: { start: 0, end: 0 } },
    ]);
  });

  test("begin in the folder that a shell call names", () => {
    const at = (cwd: Json) => said(analyzeCall({ ...buildRequest(shellTool, { command: "cat a", cwd }), context }).effects);
    expect(at("src")).toEqual(["read inside src/a"]);
    expect(at("..")).toEqual(["read outside ../a"]);
    expect(at(5)).toEqual(["read inside a"]);
  });

  test("of a search through many files are what it meets there, where nothing confines it", () => {
    const files = {
      real: new Map(),
      madeHere: new Set<string>(),
      sensitive: ["app/.env", ".npmrc"],
      linksOut: ["app/out"],
      unfollowed: [],
      gap: null,
    };
    const met = (command: string, more: object = {}) => said(shellEffects(command, { files: { ...files, ...more } })).slice(0, -1);
    expect(met("grep -r x .")).toEqual(["read inside app/.env sensitive", "read inside .npmrc sensitive", "read not_known app/out"]);
    expect(met("grep -r x app")).toEqual(["read inside app/.env sensitive", "read not_known app/out"]);
    expect(met("cat app/*")).toEqual(["read inside app/.env sensitive", "read not_known app/out"]);
    expect(met("grep -r x src")).toEqual([]);
    expect(met("grep -r x src", { gap: "Too large." })).toEqual(["read not_known"]);
    expect(met("cat app/a")).toEqual([]);
    expect(met("ls -R .")).toEqual([]);
    expect(said(shellEffects("grep -r x .", { files, sandboxed: true }))).toEqual(["read inside ."]);
  });

  test("of a call that is too much to be read are none, and whoever only looks gets nothing", () => {
    const call = buildRequest(shellTool, { command: "((".repeat(10_000) });
    expect(() => analyzeCall(call)).toThrow();
    expect(analyzeCallIfReadable(call)).toBeNull();
    expect(analyzeCallIfReadable(buildRequest(shellTool, { command: "ls" }))?.shell?.text).toBe("ls");
  });
});

test("a search that follows links meets those that lead out, also where it only looks at names", () => {
  const files = { real: new Map(), madeHere: new Set<string>(), sensitive: [".env"], linksOut: ["out"], unfollowed: [], gap: null };
  const pathsOf = (command: string) => {
    const call = buildRequest(shellTool, { command });
    return analyzeCall({ ...call, context: { ...call.context, folder: "/work/folder", files } }).effects.map(({ target }) => target.path);
  };
  expect(pathsOf("find -L . -type f")).toEqual(["out", "."]);
  expect(pathsOf("find . -type f")).toEqual(["."]);
  expect(pathsOf("grep -r x .")).toEqual([".env", "out", "."]);
});
