import type { Client } from "@modelcontextprotocol/client";
import { expect, test, vi } from "vitest";
import { listUpstreamTools } from "./list-upstream-tools";

process.env.HANDRAIL_LOG_LEVEL = "silent";

type Page = { tools: unknown[]; nextCursor?: string };

/** Lists the tools of a fake server; `pageAt` returns the page with the given number. */
async function listed(pageAt: (page: number) => Page, sendsHeaders = false) {
  let page = 0;
  const request = vi.fn(async () => pageAt(page++));
  const client = { getServerCapabilities: () => ({ tools: {} }), request } as unknown as Client;
  const options = { serverName: "fs", signal: new AbortController().signal, timeout: 1_000, sendsHeaders };
  const { tools, notes } = await listUpstreamTools(client, options);
  return { names: tools.map(({ name }) => name), notes, pages: request.mock.calls.length };
}

test("tools whose header declarations are illegal are not offered where calls send headers, and the note names them", async () => {
  const illegal = {
    name: "deploy",
    inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "My Region" } } },
  };
  const page = () => ({ tools: [{ name: "plan" }, illegal] });
  expect(await listed(page, true)).toMatchObject({
    names: ["plan"],
    notes: ["Not offered, because their x-mcp-header declarations break MCP's rules: deploy."],
  });
  expect(await listed(page)).toMatchObject({ names: ["plan", "deploy"], notes: [] });
});

test("pages that bring nothing new come to an end, however new their cursors are", async () => {
  const { names, pages } = await listed((page) => ({ tools: page === 0 ? [{ name: "only" }] : [], nextCursor: `${page}` }));
  expect(names).toEqual(["only"]);
  expect(pages).toBeLessThanOrEqual(11);
});

test("a list whose cursor comes again ends there, and the note says how many tools were listed", async () => {
  const looping = await listed((page) => ({ tools: [{ name: `tool_${Math.min(page, 2)}` }], nextCursor: page < 2 ? `${page}` : "0" }));
  expect(looping).toMatchObject({ names: ["tool_0", "tool_1", "tool_2"], pages: 3 });
  expect(looping.notes).toEqual(["Listed 3 tools; the server repeats its cursor, so tools on further pages may be missing."]);
  const stuck = await listed(() => ({ tools: [{ name: "only" }], nextCursor: "next" }));
  expect(stuck.notes).toEqual(["Listed 1 tool; the server repeats its cursor, so tools on further pages may be missing."]);
});

test("a list of exactly 5,000 tools is whole, and one more is said to be missing", async () => {
  const many = (count: number) => () => ({ tools: Array.from({ length: count }, (_, index) => ({ name: `tool_${index}` })) });
  expect((await listed(many(5_000))).notes).toEqual([]);
  const cut = await listed(many(5_001));
  expect([cut.names.length, cut.notes]).toEqual([5_000, ["The server lists more than 5,000 tools. The first 5,000 are taken."]]);
});

test("a name that a server lists twice is told, and a page that comes again is not", async () => {
  const twice = await listed(() => ({
    tools: [
      { name: "dup", description: "one" },
      { name: "dup", description: "two" },
    ],
  }));
  expect(twice).toMatchObject({ names: ["dup"], notes: ["Listed more than once, so only the first of each name is offered: dup."] });
  expect((await listed((page) => ({ tools: [{ name: "only" }], ...(page < 2 ? { nextCursor: `${page}` } : {}) }))).notes).toEqual([]);
});
