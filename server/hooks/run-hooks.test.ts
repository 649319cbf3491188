import { expect, test } from "vitest";
import type { z } from "zod";
import type { HookDraft } from "@/contracts/hooks/hooks";
import { readTool } from "@/server/testing/guard/guarded-calls";
import { hookDraft } from "@/server/testing/hook-drafts";
import { type CompiledHook, compileHook, compileHooks } from "./compile-hook";
import type { HookContext } from "./hook-context";
import { trialHookIo } from "./hook-io";
import { type HookIo, runHooks } from "./run-hooks";
import { takeRun } from "./run-rate";

const hookContext: HookContext = {
  event: "before_tool",
  workspaceId: "w",
  conversationId: "c",
  turnId: "t",
  callId: "k",
  agent: { id: "00000000-0000-7000-8000-0000000000a1", name: "default" },
  tool: readTool,
  arguments: { path: "a.txt" },
};
const afterwards: HookContext = { ...hookContext, event: "after_tool" };

type Settings = Partial<z.input<typeof HookDraft>> & Pick<z.input<typeof HookDraft>, "event" | "action">;
const content = (settings: Settings, id = "1") => ({ ...hookDraft(settings), id, version: 1 });
const hook = (settings: Settings, change: Partial<CompiledHook> = {}): CompiledHook => ({ ...compileHook(content(settings)), ...change });
const io: HookIo = trialHookIo;
const set = (value: string): Settings => ({ event: "before_tool", action: { type: "set", pointer: "/path", value } });
const outcomes = ({ ran }: Awaited<ReturnType<typeof runHooks>>) => ran.map(({ step }) => step.outcome);

test("lower order runs first, equal ones in the order of their making, and each sees what the one before has left", async () => {
  const { before_tool } = compileHooks([
    content({ ...set("x"), order: 20, action: { type: "redact", pattern: "first", replacement: "second" } }, "b"),
    content({ ...set("first"), order: 10 }, "c"),
    content({ ...set("x"), order: 20, action: { type: "redact", pattern: "second", replacement: "third" } }, "d"),
  ]);
  const chain = await runHooks(before_tool, hookContext, { path: "a.txt" }, io);
  expect(chain.value).toEqual({ path: "third" });
  expect(outcomes(chain)).toEqual(["changed", "changed", "changed"]);
});

test("a hook is matched by the arguments as the hooks before it have left them", async () => {
  const deny: Settings = {
    event: "before_tool",
    match: { argument: { pointer: "/path", pattern: "secret" } },
    action: { type: "deny", reason: "Not this one." },
  };
  const rewritten = await runHooks([hook(set("secret.txt")), hook(deny)], hookContext, { path: "a.txt" }, io);
  expect(rewritten.refusal).toMatchObject({ kind: "said", reason: "Not this one." });
  const harmless = await runHooks(
    [hook(set("a.txt")), hook(deny)],
    { ...hookContext, arguments: { path: "secret" } },
    { path: "secret" },
    io,
  );
  expect(harmless.refusal).toBeNull();
});

test("around a model call, a hook is matched by the request as the hooks before it have left it", async () => {
  const asked: HookContext = { ...hookContext, event: "before_llm", tool: null, arguments: { model: "a" } };
  const change: Settings = { event: "before_llm", action: { type: "set", pointer: "/model", value: "b" } };
  const deny: Settings = {
    event: "before_llm",
    match: { argument: { pointer: "/model", pattern: "^b$" } },
    action: { type: "deny", reason: "No." },
  };
  expect((await runHooks([hook(change), hook(deny)], asked, { model: "a" }, io)).refusal).not.toBeNull();
});

test("after a tool, a hook is matched by the arguments that the tool ran with, whatever became of its result", async () => {
  const change: Settings = { event: "after_tool", action: { type: "set", pointer: "/path", value: "other" } };
  const match = { argument: { pointer: "/path", pattern: "^a" } };
  const cut: Settings = { event: "after_tool", match, action: { type: "set", pointer: "/text", value: "cut" } };
  const chain = await runHooks([hook(change), hook(cut)], afterwards, { text: "long" }, io);
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
  expect(hook({ ...set("x"), match }).matches(hookContext).isMatch).toBe(expected);
});

test("a hook that throws before a tool stops the call; after it, it changes nothing and the next one runs", async () => {
  const act = () => {
    throw new Error("it broke");
  };
  const before = await runHooks([hook(set("x"), { name: "Broken", act }), hook(set("y"))], hookContext, { path: "a" }, io);
  expect(before).toMatchObject({ value: { path: "a" }, refusal: { hook: "Broken", kind: "could_not", reason: "it broke" } });
  expect(outcomes(before)).toEqual(["failed"]);
  const mend = hook({ event: "after_tool", action: { type: "set", pointer: "/text", value: "mended" } });
  const after = await runHooks(
    [hook({ event: "after_tool", action: { type: "truncate", maxChars: 1 } }, { act }), mend],
    afterwards,
    { text: "ab" },
    io,
  );
  expect(after).toMatchObject({ value: { text: "mended" }, refusal: null });
  expect(outcomes(after)).toEqual(["failed", "changed"]);
});

test("a hook that hangs is given up after its own time, its signal is aborted, and what it says later changes nothing", async () => {
  const { promise, resolve } = Promise.withResolvers<{ kind: "changed"; value: { path: string } }>();
  let aborted: AbortSignal | null = null;
  const hanging = hook({ ...set("x"), timeoutMs: 50 }, { act: () => promise });
  const watching: HookIo = {
    ...io,
    outboundFor: (compiled, where, signal) => {
      aborted = signal;
      return io.outboundFor(compiled, where, signal);
    },
  };
  const chain = await runHooks([hanging], hookContext, { path: "a" }, watching);
  resolve({ kind: "changed", value: { path: "too late" } });
  expect(outcomes(chain)).toEqual(["timed_out"]);
  expect(chain).toMatchObject({ value: { path: "a" }, refusal: { kind: "could_not", reason: "it took longer than 0.05 s" } });
  expect(aborted).toMatchObject({ aborted: true });
});

const url = "https://example.com/hook";
const spent: HookIo = { ...io, takeRun: () => false };

test("beyond its rate a call to another program is skipped: one that decides then stops the call, one that only listens does not", async () => {
  for (const action of [{ type: "judge", url } as const, { type: "webhook", url, decides: true } as const]) {
    const deciding = await runHooks([hook({ event: "before_tool", action })], hookContext, { path: "a" }, spent);
    expect(outcomes(deciding)).toEqual(["skipped"]);
    expect(deciding.refusal).toMatchObject({ kind: "could_not", reason: expect.stringContaining("60 times within a minute") });
  }
  const listening = await runHooks([hook({ event: "after_tool", action: { type: "webhook", url } })], afterwards, { text: "ab" }, spent);
  expect(outcomes(listening)).toEqual(["skipped"]);
  expect(listening).toMatchObject({ value: { text: "ab" }, refusal: null });
});

test.each<[string, Settings["action"]]>([
  ["redact", { type: "redact", pattern: "secret" }],
  ["mask", { type: "mask", fields: ["text"] }],
  ["filter", { type: "filter", lines: { pattern: "secret", keep: false } }],
])("%s has no rate: the hundredth result of a minute is hidden like the first", async (_title, action) => {
  const hiding = hook({ event: "after_tool", action });
  for (let run = 0; run < 100; run += 1) {
    const chain = await runHooks([hiding], afterwards, { text: "a secret" }, spent);
    expect(JSON.stringify(chain.value)).not.toContain("secret");
  }
});

test.each<[string, Settings["action"]]>([
  ["redact", { type: "redact", pattern: "secret" }],
  ["mask", { type: "mask", fields: ["text"] }],
  ["filter", { type: "filter", drop: ["text"] }],
  ["validate", { type: "validate", pattern: "." }],
  ["deny", { type: "deny", reason: "No." }],
])("after a call, a %s hook that throws or hangs withholds the result from everything behind it", async (_title, action) => {
  const sent: unknown[] = [];
  const telling: HookIo = {
    ...io,
    outboundFor: () => ({ isTrial: false, post: async (_to, body) => ({ status: sent.push(body), text: "" }), askAgent: async () => "" }),
  };
  const tell = hook({ event: "after_tool", action: { type: "webhook", url } });
  const throws = () => {
    throw new Error("it broke");
  };
  const hangs = () => Promise.withResolvers<never>().promise;
  for (const [act, reason] of [[throws, "it broke"] as const, [hangs, "it took longer than 0.05 s"] as const]) {
    const hiding = hook({ event: "after_tool", action }, { act, timeoutMs: 50 });
    expect((await runHooks([hiding, tell], afterwards, { text: "a secret" }, telling)).refusal).toMatchObject({
      kind: "could_not",
      reason,
    });
  }
  expect(sent).toEqual([]);
});

test("a hook runs as often a minute as it may, whenever the minute begins", () => {
  const limited = { id: "rate", ratePerMinute: 2 };
  expect([0, 10_000, 59_999, 60_000, 60_001, 70_000].map((at) => takeRun(limited, at))).toEqual([true, true, false, true, false, true]);
});

test("an audit row that cannot be written stops what comes after it", async () => {
  const failing: HookIo = { ...io, writeAudit: () => Promise.reject(new Error("the database is away")) };
  const chain = await runHooks([hook({ event: "before_tool", action: { type: "audit" } })], hookContext, { path: "a" }, failing);
  expect(chain.refusal).toMatchObject({ reason: "the database is away" });
});

test("a value that a hook hides stands in no record, neither its own nor an earlier hook's", async () => {
  const chain = await runHooks(
    [hook(set("card 4111")), hook({ ...set(""), action: { type: "redact", pattern: "4111", replacement: "[card]" } })],
    hookContext,
    { path: "a" },
    io,
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
    hookContext,
    { path: "a", people: { "ann@b.example": { id: 1 } } },
    io,
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
    hookContext,
    {},
    io,
  );
  expect(JSON.stringify(ran)).not.toMatch(/abcdefghij|hunter2hunter2/);
});

test("a stored pattern that cannot be used stops the call, as a hook that throws", async () => {
  const broken = hook({ ...set("x"), match: { argument: { pointer: "/path", pattern: "(" } } });
  expect(await runHooks([broken], hookContext, { path: "a" }, io)).toMatchObject({ refusal: { kind: "could_not" } });
});
