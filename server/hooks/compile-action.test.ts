import { expect, test } from "vitest";
import type { z } from "zod";
import type { Json, JsonObject } from "@/contracts/common";
import { HookAction } from "@/contracts/hooks/hook-actions";
import { readTool } from "@/server/testing/guard/guarded-calls";
import { compileAction } from "./compile-action";
import type { HookContext, HookEffect, HookOutbound, ProgramAnswer } from "./hook-context";
import { maxTextChars } from "./text-patterns";

const hookContext: HookContext = {
  event: "before_tool",
  workspaceId: "w",
  conversationId: "c",
  turnId: "t",
  callId: "k",
  agent: { id: "a", name: "default" },
  tool: readTool,
  arguments: {},
};

const act = async (
  action: z.input<typeof HookAction>,
  value: JsonObject,
  post: () => Promise<ProgramAnswer> = () => Promise.reject(new Error("nothing is sent")),
  askAgent: HookOutbound["askAgent"] = () => Promise.reject(new Error("nothing is asked")),
): Promise<HookEffect> => compileAction(HookAction.parse(action))(value, hookContext, { isTrial: false, post, askAgent });

async function left(action: z.input<typeof HookAction>, value: JsonObject): Promise<Json> {
  const effect = await act(action, value);
  return effect.kind === "changed" ? effect.value : value;
}

test("redact replaces what the pattern finds in every text, and takes the replacement as it is", async () => {
  const value = { a: "call 555-0100", list: [{ b: "555-0199" }], n: 5 };
  expect(await left({ type: "redact", pattern: "555-\\d+", replacement: "$1 \\x" }, value)).toEqual({
    a: "call $1 \\x",
    list: [{ b: "$1 \\x" }],
    n: 5,
  });
  expect(await left({ type: "redact", pattern: "5", replacement: "-", pointer: "/list" }, { a: "5", list: ["5"] })).toEqual({
    a: "5",
    list: ["-"],
  });
});

test("redact finds what stands as a number, as the name of a member, or escaped in a text that is JSON", async () => {
  const pattern = "\\b\\d{16}\\b|[\\w.]+@[\\w.]+|Müller|id";
  const value = {
    structuredContent: {
      card: 4_111_111_111_111_111,
      id: 7,
      "a@b.example": { n: 4_096 },
      "c@d.example": 1,
      list: [-4_111_111_111_111_111, 1e21],
    },
    text: '{"card":"\\u0034111111111111111","name":"M\\u00fcller"}',
  };
  expect(await left({ type: "redact", pattern, replacement: "-" }, value)).toEqual({
    structuredContent: { card: "-", id: 7, "-": { n: 4_096 }, "- (2)": 1, list: ["--", 1e21] },
    text: '{"card":"-","name":"-"}',
  });
  const plain = { text: '{"a":"x\\n"}', n: 123_456_789 };
  expect(await left({ type: "redact", pattern }, plain)).toEqual(plain);
  // With a pointer, the rest of the value stays as it is.
  const other = { text: '{"name":"M\\u00fcller"}', list: ["Müller"] };
  expect(await left({ type: "redact", pattern, replacement: "-", pointer: "/list" }, other)).toEqual({ ...other, list: ["-"] });
});

test("a text too long to be looked through is cut, never let through unseen", async () => {
  const value = { text: `${"x".repeat(maxTextChars + 10)}secret` };
  expect(JSON.stringify(await left({ type: "redact", pattern: "secret" }, value))).not.toContain("secret");
  const many = { list: Array.from({ length: 12 }, () => `${"x".repeat(100_000)}secret`) };
  expect(JSON.stringify(await left({ type: "redact", pattern: "secret", replacement: "-" }, many))).not.toContain("secret");
});

/** Returns a pseudo-random sequence of the letters `a` and `b`. */
function unordered(length: number): string {
  let seed = 1;
  const letter = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % 2 === 0 ? "a" : "b";
  };
  return Array.from({ length }, letter).join("");
}

test.each([
  ["a pattern that counts", "(a?){200}a{200}", "a".repeat(200_000)],
  ["a pattern that splits", "(a|b)*a(a|b){14}c", unordered(200_000)],
  ["a pattern that looks ahead after each match", "a[^b]*b|a", "a".repeat(200_000)],
])("%s holds nobody up, and what it could not look through is cut", async (_, pattern, text) => {
  const seen = JSON.stringify(await left({ type: "redact", pattern, replacement: "-" }, { text, more: [text, text, text] }));
  expect(seen.includes("[cut: too long to be looked through]")).toBe(true);
  expect(seen.length).toBeLessThan(text.length);
});

test("a line that would take too long to search is left out", async () => {
  const text = `fine\n${unordered(100_000)}\nfine`;
  for (const keep of [false, true]) {
    const seen = JSON.stringify(await left({ type: "filter", lines: { pattern: "(a|b)*a(a|b){14}c", keep } }, { text }));
    expect(seen.length).toBeLessThan(100);
  }
});

test("a list of thousands of short texts, and a long text of ordinary prose, are looked through whole", async () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => `row ${at} of ann${at}@example.com, card 4111 1111 1111 ${1_000 + (at % 9_000)}.`);
  const pattern = "[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}|\\b(?:\\d{4}[ -]?){3}\\d{4}\\b";
  const list = JSON.stringify(await left({ type: "redact", pattern, replacement: "-" }, { rows: rows.slice(0, 500) }));
  expect(list).not.toMatch(/@|4111|cut/);
  const prose = `${"The quick brown fox jumps over the lazy dog, (42 times).\n".repeat(3_000)}`;
  expect(await left({ type: "redact", pattern }, { prose, rows: Array.from({ length: 5_000 }, (_, at) => `row ${at}`) })).toMatchObject({
    prose,
  });
});

test("each pattern of a schema is looked for where it stands", async () => {
  const schema = { properties: { a: { pattern: "^x" }, b: { pattern: "^y" } }, patternProperties: { "^n": { type: "number" } } };
  expect(await act({ type: "validate", schema }, { a: "x", b: "y", n: 1 })).toMatchObject({ kind: "kept" });
  const wrong: JsonObject[] = [{ a: "y" }, { b: "x" }, { n: "1" }];
  for (const value of wrong) {
    expect(await act({ type: "validate", schema }, value)).toMatchObject({ kind: "refused" });
  }
});

test("a value that a pattern would take too long on does not fit, also where the schema says what it must not be", async () => {
  const value = { text: unordered(50_000) };
  const pattern = "(a|b)*a(a|b){14}c";
  const checks: z.input<typeof HookAction>[] = [
    { type: "validate", pattern },
    { type: "validate", schema: { properties: { text: { pattern } } } },
    { type: "validate", schema: { properties: { text: { not: { pattern } } } } },
  ];
  for (const check of checks) expect(await act(check, value)).toMatchObject({ kind: "refused" });
});

test("mask hides fields by name in any case and depth, by pointer, and inside a text that is JSON", async () => {
  const value = {
    structuredContent: { user: { Email: "a@b.example", id: 1 } },
    text: '{"user":{"Email":"a@b.example","id":1}}',
  };
  expect(await left({ type: "mask", fields: ["email"] }, value)).toEqual({
    structuredContent: { user: { Email: "***", id: 1 } },
    text: '{"user":{"Email":"***","id":1}}',
  });
  expect(await left({ type: "mask", fields: ["/a/0"] }, { a: ["x", "y"] })).toEqual({ a: ["***", "y"] });
  expect(await left({ type: "mask", fields: ["/constructor", "/__proto__/x"] }, { a: 1 })).toEqual({ a: 1 });
});

test("set puts a value anywhere, and inject only where nothing is", async () => {
  expect(await left({ type: "set", pointer: "/options/depth", value: 2 }, { options: { depth: 9, all: true } })).toEqual({
    options: { depth: 2, all: true },
  });
  expect(await left({ type: "inject", pointer: "/tenant", value: "acme" }, { path: "x" })).toEqual({ path: "x", tenant: "acme" });
  expect(await left({ type: "inject", pointer: "/tenant", value: "acme" }, { tenant: "other" })).toEqual({ tenant: "other" });
  const system = { role: "system", content: "Be kind" };
  const injected = await left({ type: "inject", pointer: "/messages/0", value: system }, { messages: [{ role: "user", content: "Hi" }] });
  expect(injected).toEqual({ messages: [system, { role: "user", content: "Hi" }] });
  expect(await left({ type: "inject", pointer: "/messages/-", value: system }, injected as JsonObject)).toEqual(injected);
  await expect(act({ type: "set", pointer: "/path/deeper", value: 1 }, { path: "x" })).rejects.toThrow(
    "nothing can be put at /path/deeper",
  );
});

test("validate refuses what does not match or fit, with a sentence", async () => {
  const email = { type: "validate", pointer: "/to", pattern: "@example\\.com$", message: "Write to colleagues only." } as const;
  expect(await act(email, { to: "a@example.com" })).toEqual({ kind: "kept" });
  expect(await act(email, { to: "a@evil.example" })).toEqual({
    kind: "refused",
    reason: "/to does not match @example\\.com$. Write to colleagues only.",
  });
  expect(await act(email, {})).toMatchObject({ kind: "refused", reason: expect.stringContaining("/to is missing") });
  const schema = { type: "object", properties: { count: { type: "integer", maximum: 10 }, name: { pattern: "^[a-z]+$" } } };
  expect(await act({ type: "validate", schema }, { count: 3, name: "ab" })).toEqual({ kind: "kept" });
  expect(await act({ type: "validate", schema }, { count: 30 })).toEqual({ kind: "refused", reason: "/count must be <= 10." });
});

test.each([
  ["a pattern that is not one", { type: "redact", pattern: "(" }],
  ["a pattern in a schema that looks back", { type: "validate", schema: { pattern: "(?<=a)b" } }],
  ["a schema with references", { type: "validate", schema: { $ref: "#/x" } }],
  ["a schema that is not one", { type: "validate", schema: { type: "nothing" } }],
] as const)("%s cannot be used", (_title, action) => {
  expect(() => compileAction(HookAction.parse(action))).toThrow();
});

test("filter keeps or drops members and lines", async () => {
  const value = { text: '[{"a":1,"b":{"c":2,"d":3}}]', structuredContent: { a: 1, b: { c: 2, d: 3 } } };
  expect(await left({ type: "filter", drop: ["c"] }, value)).toEqual({
    text: '[{"a":1,"b":{"d":3}}]',
    structuredContent: { a: 1, b: { d: 3 } },
  });
  expect(await left({ type: "filter", keep: ["a"] }, value)).toEqual({ text: '[{"a":1}]', structuredContent: { a: 1 } });
  const log = { text: "INFO up\nDEBUG token\nINFO down" };
  expect(await left({ type: "filter", lines: { pattern: "^DEBUG", keep: false } }, log)).toEqual({ text: "INFO up\nINFO down" });
  expect(await left({ type: "filter", lines: { pattern: "down", keep: true } }, log)).toEqual({ text: "INFO down" });
});

test("truncate cuts long texts and says so", async () => {
  expect(await left({ type: "truncate", maxChars: 3 }, { text: "abcdef", b: "ab" })).toEqual({
    text: "abc… [cut: 3 characters more]",
    b: "ab",
  });
});

test("audit notes the chosen fields, and count_tokens the tokens of all texts", async () => {
  expect(await act({ type: "audit", fields: ["/path", "/none"] }, { path: "x" })).toMatchObject({
    kind: "kept",
    audit: { fields: { "/path": "x", "/none": null } },
  });
  expect(await act({ type: "count_tokens" }, { messages: [{ content: "hello world" }] })).toMatchObject({ data: { tokens: 2 } });
});

test("a program that decides may allow, refuse or rewrite; anything else it says is a failure", async () => {
  const webhook = { type: "webhook", url: "https://example.com/h", decides: true } as const;
  const answering =
    (body: unknown, status = 200) =>
    () =>
      Promise.resolve({ status, text: typeof body === "string" ? body : JSON.stringify(body) });
  expect(await act(webhook, { a: 1 }, answering({ allow: true }))).toEqual({ kind: "kept" });
  expect(await act(webhook, { a: 1 }, answering({ arguments: { a: 2 } }))).toEqual({ kind: "changed", value: { a: 2 } });
  expect(await act(webhook, { a: 1 }, answering({ allow: false, reason: "no" }))).toEqual({ kind: "refused", reason: "no" });
  await expect(act(webhook, { a: 1 }, answering("", 204))).rejects.toThrow("not a decision");
  await expect(act(webhook, { a: 1 }, answering('{"allow":true,"__proto__":{}}'))).rejects.toThrow("not a decision");
  await expect(act(webhook, { a: 1 }, answering({ allow: true }, 500))).rejects.toThrow("example.com answered 500");
  await expect(act({ type: "judge", url: "https://example.com/j" }, {}, answering({ reason: "fine" }))).rejects.toThrow("not a decision");
  expect(await act({ type: "judge", url: "https://example.com/j" }, {}, answering({ allow: false }))).toMatchObject({ kind: "refused" });
  await expect(act({ type: "judge" }, {})).rejects.toThrow("no judge is configured");
});

const shell = (stdout: string, stderr = "") => JSON.stringify({ stdout, stderr, exitCode: 0 });

test.each<[string, string, boolean, string, string]>([
  ["drops lines of what a shell printed", "^DEBUG", false, shell("DEBUG a\nb\n", "DEBUG c\nd"), shell("b\n", "d")],
  ["drops the only line of what a shell printed", "secret", false, shell("secret"), shell("")],
  ["keeps lines of what a shell printed", "^ERROR", true, shell("ok\nERROR x", "ERROR y"), shell("ERROR x", "ERROR y")],
  ["keeps nothing of a single line that does not match", "^ERROR", true, shell("ok"), shell("")],
  ["works on lines at any depth", "b", false, '{"log":[{"text":"a\\nb\\nc"}],"n":1}', '{"log":[{"text":"a\\nc"}],"n":1}'],
  ["drops a single value that matches", "hunter2", false, '{"word":"hunter2","n":1}', '{"n":1}'],
  ["drops a single value by its name", '"word"', false, '{"word":"x","list":[{"word":2}]}', '{"list":[{}]}'],
  ["drops a list by its name", "words", false, '{"words":["x"],"n":1}', '{"n":1}'],
  ["drops an element that matches", "^x", false, '["x1","y"]', '["y"]'],
  [
    "leaves single values alone when matching lines are kept",
    "^ERROR",
    true,
    '{"name":"a","log":"ERROR\\nb"}',
    '{"name":"a","log":"ERROR"}',
  ],
])("filter %s", async (_title, pattern, keep, text, expected) => {
  expect(await left({ type: "filter", lines: { pattern, keep } }, { text })).toEqual({ text: expected });
});

test("filter leaves lines out of the structured content beside the text", async () => {
  const value = { text: "a\nsecret", structuredContent: { log: "a\nsecret" } };
  expect(await left({ type: "filter", lines: { pattern: "secret", keep: false } }, value)).toEqual({
    text: "a",
    structuredContent: { log: "a" },
  });
});
