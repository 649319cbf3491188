import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { HookAction } from "@/contracts/hooks/hook-actions";
import { compileAction } from "./compile-action";
import type { HookContext, HookOutbound } from "./hook-context";

const hookContext = {} as HookContext;
const outbound = {} as HookOutbound;
const left = async (action: object, value: JsonObject) => {
  const effect = await compileAction(HookAction.parse(action))(value, hookContext, outbound);
  return effect.kind === "changed" ? effect.value : value;
};
const person = JSON.stringify({ name: "Ann", ssn: "123" });

const places: [string, (text: string) => JsonObject][] = [
  ["a reply in a message to a model", (text) => ({ messages: [{ role: "tool", content: [{ type: "text", text }] }] })],
  ["a text of structured content", (text) => ({ structuredContent: { body: text } })],
  ["JSON in a text of JSON", (text) => ({ text: JSON.stringify({ body: text }) })],
  ["JSON in JSON in JSON", (text) => ({ text: JSON.stringify({ body: JSON.stringify([text]) }) })],
  ["lines of JSON", (text) => ({ text: `${text}\n${text}` })],
  ["a line of JSON behind another one", (text) => ({ text: `Found one:\n${text}` })],
];

test.each(places)("a field is masked by its name in %s", async (_place, make) => {
  const masked = await left({ type: "mask", fields: ["SSN"] }, make(person));
  expect(masked).toEqual(make(JSON.stringify({ name: "Ann", ssn: "***" })));
});

test.each(places)("a field is dropped by its name in %s", async (_place, make) => {
  const filtered = await left({ type: "filter", drop: ["ssn"] }, make(person));
  expect(filtered).toEqual(make(JSON.stringify({ name: "Ann" })));
});

test("a text in which nothing is hidden stays as it was written", async () => {
  const text = '{ "a" : 12345678901234567890 }\n{"b":1}\n  { "c" : 1 }\n{not json';
  expect(await left({ type: "mask", fields: ["ssn"] }, { text, other: ' { "x": 1.0 }' })).toEqual({ text, other: ' { "x": 1.0 }' });
});

test.each([
  ["lists in lists without an end", "[".repeat(64_000), "[".repeat(64_000)],
  ["lines that begin like JSON", "{\n".repeat(32_000), "{\n".repeat(32_000)],
  ["many lines of JSON", `${person}\n`.repeat(2_000), `${person.replace("123", "***")}\n`.repeat(2_000)],
])("%s are looked through", async (_title, text, expected) => {
  expect(await left({ type: "mask", fields: ["ssn"] }, { text })).toEqual({ text: expected });
});
