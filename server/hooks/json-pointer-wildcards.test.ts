import { expect, test } from "vitest";
import type { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { HookAction } from "@/contracts/hooks/hook-actions";
import { changesBetween, findHiddenPlaces } from "./changes-between";
import { compileAction } from "./compile-action";
import { compileHook } from "./compile-hook";
import type { HookContext, HookOutbound } from "./hook-context";
import { maskValue } from "./mask-value";

type Action = z.input<typeof HookAction>;
const hookContext = { event: "before_tool", agent: { id: "a", name: "default" }, tool: null, arguments: {} } as unknown as HookContext;
const act = async (action: Action, value: JsonObject) => compileAction(HookAction.parse(action))(value, hookContext, {} as HookOutbound);
async function left(action: Action, value: JsonObject) {
  const effect = await act(action, value);
  return effect.kind === "changed" ? effect.value : value;
}

const people: JsonObject = { list: [{ ssn: "1", name: "Ann" }, { name: "Bo" }, "text", { ssn: "2" }] };

test("`*` in a pointer of a mask stands for every element and every member, whichever of them have the field", async () => {
  const hidden = { list: [{ ssn: "***", name: "Ann" }, { name: "Bo" }, "text", { ssn: "***" }] };
  expect(await left({ type: "mask", fields: ["/list/*/ssn"] }, people)).toEqual(hidden);
  expect(await left({ type: "mask", fields: ["/*/*/ssn"] }, people)).toEqual(hidden);
  expect(await left({ type: "mask", fields: ["/*"] }, { a: 1, "*": 2, b: { c: 3 } })).toEqual({ a: "***", "*": "***", b: "***" });
  expect(await left({ type: "mask", fields: ["/x/*/ssn", "/list/*/*/*", "/list/*/name/*"] }, people)).toEqual(people);
});

test("a place in the structured content of a result is masked in its text, too, and the other way round", async () => {
  for (const field of ["/structuredContent/list/*/ssn", "/list/*/ssn"]) {
    const answer = (ssn: string) => ({ text: JSON.stringify({ list: [{ ssn }] }), structuredContent: { list: [{ ssn }] } });
    expect(await left({ type: "mask", fields: [field] }, answer("1"))).toEqual(answer("***"));
  }
  expect(await left({ type: "mask", fields: ["/*/ssn"] }, { text: '[{"ssn":"1"}]' })).toEqual({ text: '[{"ssn":"***"}]' });
});

test("texts below each of several places are redacted and cut", async () => {
  const value = { a: ["secret", { b: "secret" }], c: "secret" };
  expect(await left({ type: "redact", pattern: "secret", replacement: "-", pointer: "/a/*" }, value)).toEqual({
    a: ["-", { b: "-" }],
    c: "secret",
  });
  expect(await left({ type: "truncate", maxChars: 1, pointer: "/a/*/b" }, { a: [{ b: "xyz" }, "xyz"] })).toEqual({
    a: [{ b: "x… [cut: 2 characters more]" }, "xyz"],
  });
  const escaped = { text: '{"a":"M\\u00fcller"}' };
  expect(await left({ type: "redact", pattern: "Müller", replacement: "-", pointer: "/*" }, escaped)).toEqual({ text: '{"a":"-"}' });
});

test("a value is set at each of several places, and inject names one", async () => {
  const set = (pointer: string) => ({ type: "set", pointer, value: 0 }) as const;
  expect(await left(set("/list/*/n"), { list: [{ n: 1 }, {}] })).toEqual({ list: [{ n: 0 }, { n: 0 }] });
  expect(await left(set("/*/0"), { a: [1], b: [] })).toEqual({ a: [0], b: [0] });
  expect(await left(set("/list/*/-"), { list: [[1], []] })).toEqual({ list: [[1, 0], [0]] });
  expect(await left(set("/none/*"), {})).toEqual({ none: {} });
  await expect(act(set("/list/*/n"), { list: ["text"] })).rejects.toThrow("nothing can be put at /list/*/n");
  await expect(act(set("/list/5"), { list: [1] })).rejects.toThrow("the list has 1 elements");
  expect(() => compileAction(HookAction.parse({ type: "inject", pointer: "/list/*/n", value: 1 }))).toThrow("name one place to fill");
});

test("a value is not put at so many places that nobody could keep what comes of it", async () => {
  const list = Array.from({ length: 20_000 }, () => 0);
  await expect(act({ type: "set", pointer: "/list/*", value: "x".repeat(1_000) }, { list })).rejects.toThrow("too many places");
  expect(await left({ type: "set", pointer: "/list/*", value: "x" }, { list })).toEqual({ list: list.map(() => "x") });
});

test("each of several places has to exist and to match", async () => {
  const check = { type: "validate", pointer: "/to/*", pattern: "@example\\.com$" } as const;
  expect(await act(check, { to: ["a@example.com", "b@example.com"] })).toEqual({ kind: "kept" });
  expect(await act(check, { to: [] })).toEqual({ kind: "kept" });
  expect(await act(check, { to: ["a@example.com", "b@evil.example"] })).toMatchObject({ reason: "/to/1 does not match @example\\.com$." });
  expect(await act(check, {})).toMatchObject({ reason: "/to is missing." });
  expect(await act(check, { to: "a@example.com" })).toMatchObject({ reason: "/to/* is missing." });
  expect(await act({ ...check, pointer: "/to/*/mail" }, { to: [{}] })).toMatchObject({ reason: "/to/0/mail is missing." });
  const schema = { type: "validate", pointer: "/n/*", schema: { maximum: 3 } } as const;
  expect(await act(schema, { n: [1, 4] })).toMatchObject({ reason: "/n/1 must be <= 3." });
});

test("an audit row has all of several places", async () => {
  expect(await act({ type: "audit", fields: ["/list/*/ssn", "/none/*"] }, people)).toMatchObject({
    audit: { fields: { "/list/*/ssn": ["1", "2"], "/none/*": [] } },
  });
});

const matching = (pointer: string, pattern: string, value: JsonObject) =>
  compileHook({
    id: "h",
    name: "Hook",
    event: "before_tool",
    match: { tool: "*", agentId: null, argument: { pointer, pattern } },
    action: HookAction.parse({ type: "deny", reason: "Never." }),
    order: 1,
    timeoutMs: 100,
    ratePerMinute: 60,
    version: 1,
  }).matches({ ...hookContext, arguments: value });

test("a hook is for a call when one of several places matches", () => {
  expect(matching("/list/*/ssn", "^2$", people)).toEqual({ isMatch: true, why: "/list/3/ssn matches ^2$" });
  expect(matching("/list/*/ssn", "^3$", people)).toEqual({ isMatch: false, why: "/list/*/ssn does not match ^3$" });
  expect(matching("/list/*/none", "^3$", people)).toEqual({ isMatch: false, why: "there is no /list/*/none" });
  expect(matching("/list", "Ann", people).isMatch).toBe(true);
});

test("many places and long texts are compared, and what is too much counts as a match", () => {
  let deep: JsonObject = { end: 1 };
  for (let depth = 0; depth < 90; depth += 1) deep = { a: deep, b: 1 };
  const slow = (pointer: string, value: JsonObject) => matching(pointer, "(a|b)*a(a|b){14}c", value).isMatch;
  expect(slow("/*/*", { list: Array.from({ length: 30_000 }, (_, at) => `${at}`) })).toBe(false);
  expect(slow("/*".repeat(91), deep)).toBe(false);
  expect(slow("/list/*", { list: Array.from({ length: 300 }, () => "ab".repeat(500)) })).toBe(true);
  expect(matching("/list/*", "secret", { list: Array.from({ length: 300 }, () => "x".repeat(1_000)) }).isMatch).toBe(true);
});

test("values hidden at more places than are told are hidden in the stored call, too", async () => {
  const before = { query: "q", list: Array.from({ length: 80 }, (_, at) => ({ name: `n${at}`, ssn: `secret${at}` })) };
  const after = await left({ type: "mask", fields: ["/list/*/ssn"] }, before);
  const changes = changesBetween(before, after, { hides: true });
  expect(changes).toEqual([{ path: "/list", hidden: true }]);
  expect(JSON.stringify(maskValue(before, findHiddenPlaces(changes)))).not.toContain("secret");
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`a${at}`, `secret${at}`]));
  const none = await left({ type: "mask", fields: ["/*"] }, many);
  expect(changesBetween(many, none, { hides: true })).toEqual([{ path: "", hidden: true }]);
  expect(changesBetween(many, none, { hides: false })).toHaveLength(50);
});

test("names that become the same are kept apart", async () => {
  const value = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`a${at}@b.example`, at]));
  const result = await left({ type: "redact", pattern: "[\\w.]+@[\\w.]+", replacement: "-" }, value);
  expect(Object.keys(result)).toHaveLength(5_000);
  expect(Object.keys(result).slice(0, 3)).toEqual(["-", "- (2)", "- (3)"]);
});
