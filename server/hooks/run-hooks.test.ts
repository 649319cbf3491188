import { expect, test } from "vitest";
import type { z } from "zod";
import type { HookDraft } from "@/contracts/hooks";
import { readTool } from "@/server/testing/guarded-calls";
import { hookDraft } from "@/server/testing/hook-drafts";
import { type CompiledHook, compileHook, compileHooks } from "./compile-hook";
import { trialMeans } from "./hook-means";
import { type HookMeans, runHooks } from "./run-hooks";
import { takeRun } from "./run-rate";
import type { HookScene } from "./scene";

const scene: HookScene = {
  event: "before_tool",
  workspaceId: "w",
  conversationId: "c",
  turnId: "t",
  callId: "k",
  agent: { id: "00000000-0000-7000-8000-0000000000a1", name: "default" },
  tool: readTool,
  arguments: { path: "a.txt" },
};
const afterwards: HookScene = { ...scene, event: "after_tool" };

type Settings = Partial<z.input<typeof HookDraft>> & Pick<z.input<typeof HookDraft>, "event" | "action">;
const content = (settings: Settings, id = "1") => ({ ...hookDraft(settings), id, version: 1 });
const hook = (settings: Settings, change: Partial<CompiledHook> = {}): CompiledHook => ({ ...compileHook(content(settings)), ...change });
const means: HookMeans = trialMeans;
const set = (value: string): Settings => ({ event: "before_tool", action: { type: "set", pointer: "/path", value } });
const outcomes = ({ ran }: Awaited<ReturnType<typeof runHooks>>) => ran.map(({ step }) => step.outcome);

test("lower order runs first, equal ones in the order of their making, and each sees what the one before has left", async () => {
  const { before_tool } = compileHooks([
    content({ ...set("x"), order: 20, action: { type: "redact", pattern: "first", replacement: "second" } }, "b"),
    content({ ...set("first"), order: 10 }, "c"),
    content({ ...set("x"), order: 20, action: { type: "redact", pattern: "second", replacement: "third" } }, "d"),
  ]);
  const chain = await runHooks(before_tool, scene, { path: "a.txt" }, means);
  expect(chain.value).toEqual({ path: "third" });
  expect(outcomes(chain)).toEqual(["changed", "changed", "changed"]);
});

test("a hook is matched by the arguments as the hooks before it have left them", async () => {
  const deny: Settings = {
    event: "before_tool",
    match: { argument: { pointer: "/path", pattern: "secret" } },
    action: { type: "deny", reason: "Not this one." },
  };
  const rewritten = await runHooks([hook(set("secret.txt")), hook(deny)], scene, { path: "a.txt" }, means);
  expect(rewritten.refusal).toMatchObject({ kind: "said", reason: "Not this one." });
  const harmless = await runHooks([hook(set("a.txt")), hook(deny)], { ...scene, arguments: { path: "secret" } }, { path: "secret" }, means);
  expect(harmless.refusal).toBeNull();
});

test("around a model call, a hook is matched by the request as the hooks before it have left it", async () => {
  const asked: HookScene = { ...scene, event: "before_llm", tool: null, arguments: { model: "a" } };
  const change: Settings = { event: "before_llm", action: { type: "set", pointer: "/model", value: "b" } };
  const deny: Settings = {
    event: "before_llm",
    match: { argument: { pointer: "/model", pattern: "^b$" } },
    action: { type: "deny", reason: "No." },
  };
  expect((await runHooks([hook(change), hook(deny)], asked, { model: "a" }, means)).refusal).not.toBeNull();
});

test("after a tool, a hook is matched by the arguments that the tool ran with, whatever became of its result", async () => {
  const change: Settings = { event: "after_tool", action: { type: "set", pointer: "/path", value: "other" } };
  const match = { argument: { pointer: "/path", pattern: "^a" } };
  const cut: Settings = { event: "after_tool", match, action: { type: "set", pointer: "/text", value: "cut" } };
  const chain = await runHooks([hook(change), hook(cut)], afterwards, { text: "long" }, means);
  expect(chain.value).toEqual({ text: "cut", path: "other" });
});

test.each([
  ["the tool's name", { tool: "read_file" }, true],
  ["a glob", { tool: "read_*" }, true],
  ["another tool", { tool: "write_file" }, false],
  ["its effect", { tool: "effect:read" }, true],
  ["its agent", { agentId: "00000000-0000-7000-8000-0000000000a1" }, true],
  ["another agent", { agentId: "00000000-0000-7000-8000-0000000000a2" }, false],
  ["an argument", { argument: { pointer: "/path", pattern: "\\.txt$" } }, true],
  ["another argument", { argument: { pointer: "/path", pattern: "\\.md$" } }, false],
  ["an argument that is not there", { argument: { pointer: "/constructor", pattern: "." } }, false],
])("a hook is for a call by %s", (_title, match, expected) => {
  expect(hook({ ...set("x"), match }).matches(scene).isMatch).toBe(expected);
});

test("a hook that throws before a tool stops the call; after it, it changes nothing and the next one runs", async () => {
  const act = () => {
    throw new Error("it broke");
  };
  const before = await runHooks([hook(set("x"), { name: "Broken", act }), hook(set("y"))], scene, { path: "a" }, means);
  expect(before).toMatchObject({ value: { path: "a" }, refusal: { hook: "Broken", kind: "could_not", reason: "it broke" } });
  expect(outcomes(before)).toEqual(["failed"]);
  const mend = hook({ event: "after_tool", action: { type: "set", pointer: "/text", value: "mended" } });
  const after = await runHooks(
    [hook({ event: "after_tool", action: { type: "truncate", maxChars: 1 } }, { act }), mend],
    afterwards,
    { text: "ab" },
    means,
  );
  expect(after).toMatchObject({ value: { text: "mended" }, refusal: null });
  expect(outcomes(after)).toEqual(["failed", "changed"]);
});

test("a hook that hangs is given up after its own time, its signal is aborted, and what it says later changes nothing", async () => {
  const { promise, resolve } = Promise.withResolvers<{ kind: "changed"; value: { path: string } }>();
  let aborted: AbortSignal | null = null;
  const hanging = hook({ ...set("x"), timeoutMs: 50 }, { act: () => promise });
  const watching: HookMeans = {
    ...means,
    reachOf: (compiled, where, signal) => {
      aborted = signal;
      return means.reachOf(compiled, where, signal);
    },
  };
  const chain = await runHooks([hanging], scene, { path: "a" }, watching);
  resolve({ kind: "changed", value: { path: "too late" } });
  expect(outcomes(chain)).toEqual(["timed_out"]);
  expect(chain).toMatchObject({ value: { path: "a" }, refusal: { kind: "could_not", reason: "it took longer than 0.05 s" } });
  expect(aborted).toMatchObject({ aborted: true });
});

test("beyond its rate a hook is skipped: one that protects then stops the call, one that only looks on does not", async () => {
  const spent: HookMeans = { ...means, takeRun: () => false };
  const protecting = await runHooks([hook(set("x"))], scene, { path: "a" }, spent);
  expect(outcomes(protecting)).toEqual(["skipped"]);
  expect(protecting.refusal).toMatchObject({ kind: "could_not", reason: expect.stringContaining("60 times within a minute") });
  const looking = await runHooks([hook({ event: "before_tool", action: { type: "audit" } })], scene, { path: "a" }, spent);
  expect(looking).toMatchObject({ refusal: null });
  const after = await runHooks(
    [hook({ event: "after_tool", action: { type: "truncate", maxChars: 1 } })],
    afterwards,
    { text: "ab" },
    spent,
  );
  expect(after).toMatchObject({ value: { text: "ab" }, refusal: null });
});

test("a hook runs as often a minute as it may, whenever the minute begins", () => {
  const limited = { id: "rate", ratePerMinute: 2 };
  expect([0, 10_000, 59_999, 60_000, 60_001, 70_000].map((at) => takeRun(limited, at))).toEqual([true, true, false, true, false, true]);
});

test("an audit row that cannot be written stops what comes after it", async () => {
  const failing: HookMeans = { ...means, writeAudit: () => Promise.reject(new Error("the database is away")) };
  const chain = await runHooks([hook({ event: "before_tool", action: { type: "audit" } })], scene, { path: "a" }, failing);
  expect(chain.refusal).toMatchObject({ reason: "the database is away" });
});

test("what a hook hides stands in no record, neither its own nor that of one before it", async () => {
  const chain = await runHooks(
    [hook(set("card 4111")), hook({ ...set(""), action: { type: "redact", pattern: "4111", replacement: "[card]" } })],
    scene,
    { path: "a" },
    means,
  );
  expect(chain.value).toEqual({ path: "card [card]" });
  expect(JSON.stringify(chain.ran)).not.toContain("4111");
  expect(chain.ran[1]?.step.changes).toEqual([{ path: "/path", after: "card [card]", hidden: true }]);
});

test("a name that a hook hides stands in no record either", async () => {
  const chain = await runHooks(
    [
      hook({ event: "before_tool", action: { type: "set", pointer: "/people/ann@b.example/seen", value: true } }),
      hook({ ...set(""), action: { type: "redact", pattern: "[\\w.]+@[\\w.]+", replacement: "[person]" } }),
    ],
    scene,
    { path: "a", people: { "ann@b.example": { id: 1 } } },
    means,
  );
  expect(chain.value).toEqual({ path: "a", people: { "[person]": { id: 1, seen: true } } });
  expect(JSON.stringify(chain.ran)).not.toContain("ann@");
  expect(chain.ran.map(({ step }) => step.changes)).toEqual([
    [{ path: "/people", hidden: true }],
    [{ path: "/people", after: { "[person]": { id: 1, seen: true } }, hidden: true }],
  ]);
});

test("secrets in what changes are masked, also by the name of their field", async () => {
  const value = "sk-abcdefghijklmnopqrstuvwx";
  const { ran } = await runHooks(
    [
      hook({ event: "before_tool", action: { type: "set", pointer: "/x", value } }),
      hook({ event: "before_tool", action: { type: "set", pointer: "/password", value: "hunter2hunter2" } }),
    ],
    scene,
    {},
    means,
  );
  expect(JSON.stringify(ran)).not.toMatch(/abcdefghij|hunter2hunter2/);
});

test("a stored pattern that cannot be used stops the call, as a hook that throws", async () => {
  const broken = hook({ ...set("x"), match: { argument: { pointer: "/path", pattern: "(" } } });
  expect(await runHooks([broken], scene, { path: "a" }, means)).toMatchObject({ refusal: { kind: "could_not" } });
});
