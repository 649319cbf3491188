import { expect, test } from "vitest";
import { describeTools, type ToolServer } from "./describe-tools";
import { UpstreamTool } from "./list-upstream-tools";

const server: ToolServer = {
  id: "0198f0a0-0000-7000-8000-000000000000",
  alias: "fs",
  callTimeoutSeconds: 60,
  trustHints: true,
  parallelCalls: true,
};
const describe = (...listed: Record<string, unknown>[]) =>
  describeTools(
    server,
    listed.map((tool) => UpstreamTool.parse({ name: "tool", ...tool })),
    async () => "",
  );

test.each([
  ["read-only", { readOnlyHint: true }, "read"],
  ["read-only and destructive", { readOnlyHint: true, destructiveHint: true }, "destroy"],
  ["not destructive", { readOnlyHint: false, destructiveHint: false }, "write"],
  ["destructive", { destructiveHint: true }, "destroy"],
  ["only idempotent", { idempotentHint: true }, "destroy"],
  ["something that is no hint", { readOnlyHint: "yes" }, "destroy"],
])("a tool that says it is %s counts as one that can %s", async (_title, annotations, effect) => {
  const [tool] = await describe({ annotations });
  expect(tool?.effect).toBe(effect);
});

test.each([
  ["read-only", { readOnlyHint: true }, "write"],
  ["not destructive", { destructiveHint: false }, "write"],
  ["destructive", { destructiveHint: true, readOnlyHint: true }, "destroy"],
  ["nothing", {}, "destroy"],
])("without an admin's trust a tool that says it is %s can change things and runs once", async (_title, annotations, effect) => {
  const listed = [UpstreamTool.parse({ name: "tool", annotations: { ...annotations, idempotentHint: true } })];
  const [tool] = await describeTools({ ...server, trustHints: false }, listed, async () => "");
  expect(tool).toMatchObject({ effect, concurrencySafe: true, idempotent: false });
});

test("a tool that says nothing about itself can destroy, and is not started twice", async () => {
  const [tool] = await describe({});
  expect(tool).toMatchObject({ effect: "destroy", concurrencySafe: true, idempotent: false });
});

test("a tool that reads may run beside its neighbours and again after a crash", async () => {
  const [tool] = await describe({ annotations: { readOnlyHint: true } });
  expect(tool).toMatchObject({ concurrencySafe: true, idempotent: true });
});

test.each([
  [{ readOnlyHint: true, idempotentHint: false }, true],
  [{ idempotentHint: true }, true],
  [{ idempotentHint: false }, false],
])("a tool that says %j may run twice: %s", async (annotations, idempotent) => {
  const [tool] = await describe({ annotations });
  expect(tool?.idempotent).toBe(idempotent);
});

test("a tool belongs to its server: name, family, source, time limit", async () => {
  const [tool] = await describe({ name: "read.file", title: "Read\nfile", description: "Reads.\u200b" });
  expect(tool).toMatchObject({
    name: "fs__read_file",
    rawName: "read.file",
    title: "Read file",
    description: "[MCP server: fs] Reads.",
    family: "fs",
    source: "mcp",
    sourceRef: server.id,
    defaultTier: "extension",
    timeoutMs: 60_000,
  });
});

test("a tool without title and description is called by its own name", async () => {
  const [tool] = await describe({ name: "x" });
  expect(tool).toMatchObject({ title: "x", description: "[MCP server: fs] x" });
});

test("a tool whose schema does not compile stays listed with the reason, and its neighbours are well", async () => {
  const bad = { name: "bad", inputSchema: { type: "object", properties: { a: { type: "strng" } } } };
  const [broken, fine] = await describe(bad, { name: "fine", inputSchema: { type: "object" } });
  expect(broken?.unavailableReason).toContain("fs__bad cannot be called: its input schema does not compile");
  expect(broken?.parse({})).toMatchObject({ ok: false });
  expect(fine?.unavailableReason).toBeUndefined();
  expect(fine?.parse({})).toEqual({ ok: true, value: {} });
});

test("a server that an admin says so for has one call of a conversation after another, whatever its tools say", async () => {
  const listed = [{ name: "x", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }];
  const [tool] = await describeTools({ ...server, parallelCalls: false }, listed, async () => "");
  expect(tool).toMatchObject({ effect: "read", concurrencySafe: false });
});
