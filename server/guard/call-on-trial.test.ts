import { describe, expect, test } from "vitest";
import type { Json } from "@/contracts/common";
import { callOf, mcpTool, policyOfRules, readTool, shellTool } from "@/server/testing/guarded-calls";
import { onTrial } from "./call-on-trial";
import { decide } from "./decide";

describe("the texts of a call", () => {
  test("are found at any depth, in their order, each with the innermost name that it stands under", () => {
    const call = callOf(mcpTool, { a: "1", b: { c: "2", d: ["3", { e: "4" }, ["5"]] }, f: 6, g: null, h: true, i: "7" });
    expect(onTrial(call).texts).toMatchObject([
      { name: "a", text: "1" },
      { name: "c", text: "2" },
      { name: "d", text: "3" },
      { name: "e", text: "4" },
      { name: "d", text: "5" },
      { name: "i", text: "7" },
    ]);
    expect(onTrial(callOf(mcpTool, {})).texts).toEqual([]);
  });

  test("are found however deep a model nests them", () => {
    let nested: Json = "deep";
    for (let depth = 0; depth < 50_000; depth += 1) nested = depth % 2 ? [nested] : { a: nested };
    expect(onTrial(callOf(mcpTool, { nested })).texts).toMatchObject([{ name: "a", text: "deep" }]);
  });
});

describe("the command of a call", () => {
  test("is that of a shell tool's primary argument, and rules and floor see it", () => {
    const { shell, scripts } = onTrial(callOf(shellTool, { command: "ls" }));
    expect(shell?.text).toBe("ls");
    expect(scripts).toEqual([shell]);
  });
  test.each([
    ["is missing", callOf(shellTool, {})],
    ["is no text", callOf(shellTool, { command: ["ls"] })],
    ["is inherited", callOf({ ...shellTool, primaryArgument: "toString" }, {})],
    ["is not declared", callOf({ ...shellTool, primaryArgument: null }, { command: "ls" })],
    ["is no shell tool's", callOf(readTool, { path: "ls" })],
  ])("is none where it %s", (_why, call) => {
    expect(onTrial(call).shell).toBeNull();
  });
  test("of another tool that evidently runs one is seen by the floor and by rules, as a command", () => {
    const { shell, scripts, commands } = onTrial(callOf({ ...mcpTool, name: "box__bash" }, { command: "reboot" }));
    expect(shell).toBeNull();
    expect(commands).toEqual([{ reading: scripts[0], place: { inside: null, name: "command", depth: 1 }, written: null }]);
    expect(scripts.map(({ text }) => text)).toEqual(["reboot"]);
    const call = callOf({ ...mcpTool, name: "box__bash" }, { command: "reboot" });
    expect(decide(policyOfRules([{ verdict: "allow" }]), call)).toMatchObject({ verdict: "deny", findings: [{ detector: "floor.power" }] });
  });
});
