import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonLine, JsonLines } from "./json-lines";

function linesOf(text: string, chunkBytes = 7, maxBytes = 64): JsonLine[] {
  const reader = new JsonLines(maxBytes);
  const bytes = Buffer.from(text);
  const lines: JsonLine[] = [];
  for (let start = 0; start < bytes.length; start += chunkBytes) lines.push(...reader.read(bytes.subarray(start, start + chunkBytes)));
  return lines;
}

test("messages come out whole however the stream is cut", () => {
  const messages = fc.array(fc.record({ id: fc.nat(), text: fc.string({ unit: "binary", maxLength: 8 }) }));
  fc.assert(
    fc.property(messages, fc.integer({ min: 1, max: 40 }), (values, chunkBytes) => {
      const text = values.map((value) => `${JSON.stringify(value)}\n`).join("");
      expect(linesOf(text, chunkBytes, 1_000)).toEqual(JSON.parse(JSON.stringify(values.map((value) => ({ kind: "message", value })))));
    }),
  );
});

test("a line that is not JSON is set apart and does not disturb the messages around it", () => {
  expect(linesOf('{"a":1}\r\nStarting server...\n\n{"a":2}\n')).toEqual([
    { kind: "message", value: { a: 1 } },
    { kind: "garbage", text: "Starting server..." },
    { kind: "message", value: { a: 2 } },
  ]);
});

test.each([
  ["at the end", `{"result":"${"x".repeat(600)}","jsonrpc":"2.0","id":17}`],
  ["at the beginning", `{"jsonrpc":"2.0","id":17,"result":"${"x".repeat(600)}"}`],
  ["with spaces", `{"jsonrpc": "2.0", "id": 17, "result": "${"x".repeat(600)}"}`],
])("a line over the limit is thrown away, and its id is found %s", (_title, line) => {
  expect(linesOf(`${line}\n{"a":1}\n`)).toEqual([
    { kind: "oversized", id: 17 },
    { kind: "message", value: { a: 1 } },
  ]);
});

test("a line over the limit without an id is reported as such", () => {
  expect(linesOf(`${"x".repeat(100)}\n`)).toEqual([{ kind: "oversized", id: null }]);
});

test("a line that never ends is counted and not kept", () => {
  const reader = new JsonLines(64);
  for (let count = 0; count < 100; count += 1) expect([...reader.read(Buffer.alloc(1_000, "x"))]).toEqual([]);
  expect(reader.skipped).toBe(100_000);
});
