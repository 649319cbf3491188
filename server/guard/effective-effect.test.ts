import { expect, test } from "vitest";
import { effectiveEffect } from "./effective-effect";

const reading = { source: "mcp", effect: "read", effectOverride: null, concurrencySafe: true, idempotent: true } as const;
const writing = { source: "builtin", effect: "write", effectOverride: null, concurrencySafe: true, idempotent: false } as const;

test("a tool without an override, or with its own effect as one, keeps its traits", () => {
  for (const tool of [reading, { ...reading, effectOverride: "read" as const }]) {
    expect(effectiveEffect(tool)).toEqual({ effect: "read", concurrencySafe: true, idempotent: true });
  }
});

test("a tool that an admin marks as changing things is not repeated because its server calls it read-only", () => {
  expect(effectiveEffect({ ...reading, effectOverride: "write" })).toEqual({ effect: "write", concurrencySafe: true, idempotent: false });
  const ours = { ...reading, source: "builtin" as const, effectOverride: "write" as const };
  expect(effectiveEffect(ours)).toEqual({ effect: "write", concurrencySafe: false, idempotent: false });
  expect(effectiveEffect({ ...writing, effectOverride: "destroy" })).toEqual({
    effect: "destroy",
    concurrencySafe: true,
    idempotent: false,
  });
});

test("an MCP tool that an admin marks as reading may be repeated; one of ours keeps what its author declared", () => {
  const changes = { ...writing, concurrencySafe: false, effectOverride: "read" as const };
  expect(effectiveEffect({ ...changes, source: "mcp" })).toEqual({ effect: "read", concurrencySafe: false, idempotent: true });
  expect(effectiveEffect(changes)).toEqual({ effect: "read", concurrencySafe: false, idempotent: false });
  expect(effectiveEffect({ ...writing, effectOverride: "read" })).toEqual({ effect: "read", concurrencySafe: true, idempotent: false });
});
