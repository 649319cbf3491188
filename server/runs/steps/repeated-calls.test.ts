import { expect, test } from "vitest";
import "@/server/testing/builtin-tools";
import { countRepeats, isLooping, withWarnings } from "./repeated-calls";

const reply = (name: string, args: string) => ({
  role: "assistant" as const,
  content: { text: "", toolCalls: [{ id: "1", name, arguments: args }] },
});
const result = (text: string) => ({ role: "tool" as const, content: { text, callId: "1" } });
const times = <T>(count: number, make: () => T[]): T[] => Array.from({ length: count }, make).flat();

test("equal calls count when their arguments mean the same, and only while their result stays", () => {
  const same = [reply("look", '{"a":1,"b":2}'), result("x"), reply("look", '{ "b": 2, "a": 1 }'), result("x")];
  expect([...countRepeats(same).values()].map(({ times }) => times)).toEqual([2]);
  const changed = [...same, reply("look", '{"a":1,"b":2}'), result("y")];
  expect([...countRepeats(changed).values()].map(({ times }) => times)).toEqual([1]);
});

test("a warning does not make the next equal result a different one", () => {
  const before = times(2, () => [reply("look", "{}"), result("x")]);
  const [warned] = withWarnings([...before, reply("look", "{}")], [result("x")]);
  expect(warned?.content.text).toContain("the same result 3 times");
  const looping = [...before, reply("look", "{}"), ...(warned ? [warned] : []), ...times(2, () => [reply("look", "{}"), result("x")])];
  expect(isLooping(looping)).toBe(true);
});

test("of equal calls of one reply only the last is warned about", () => {
  const calls = ["a", "b", "c", "d"].map((id) => ({ id, name: "look", arguments: "{}" }));
  const results = calls.map(({ id }) => ({ role: "tool" as const, content: { text: "x", callId: id } }));
  const warned = withWarnings([{ role: "assistant" as const, content: { text: "", toolCalls: calls } }], results);
  expect(warned.map(({ content }) => content.text.includes("the same result"))).toEqual([false, false, false, true]);
  expect(warned[3]?.content.text).toContain("the same result 4 times");
});

test("a tool that waits for something may be called again", () => {
  expect(isLooping(times(9, () => [reply("wait", '{"jobId":"j"}'), result("still running")]))).toBe(false);
  expect(isLooping(times(5, () => [reply("look", "not json"), result("x")]))).toBe(true);
});
