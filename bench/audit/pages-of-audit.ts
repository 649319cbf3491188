import { Connection, requestBytes } from "../connection";
import { type Line, milliseconds } from "../report";
import { scaled } from "../scale";
import { percentile } from "../statistics";
import type { Given } from "../with-product";
import { rare } from "./fill-audit";

const year = 365 * 86_400_000;
const past = () => new Date(Date.now() - year).toISOString();

/** Filters with many hits, with few, and with none. */
const filters = (): Record<"hits" | "none", Record<string, string>[]> => ({
  hits: [
    {},
    { event: "call.succeeded" },
    { event: "call" },
    { event: rare.event },
    { event: "webhook" },
    { tool: "tool_7" },
    { tool: rare.tool },
    { agent: "Agent 3" },
    { agent: rare.agent },
    { source: "builtin" },
    { source: rare.source },
    { verdict: "deny" },
    { actor: "actor-3" },
    { actor: rare.actor },
    { actor: "Key 9" },
    { from: new Date(Date.now() - 86_400_000).toISOString() },
    { query: "src/file" },
  ],
  none: [
    { event: "browser.closed" },
    { event: "nothing" },
    { tool: "no_such_tool" },
    { agent: "No such agent" },
    { source: "mcp:none" },
    { verdict: "require_approval" },
    { actor: "nobody" },
    { conversationId: "00000000-0000-7000-8000-000000000000" },
    { to: past() },
  ],
});

/** The first page of each filter over HTTP, one at a time; the slowest filter is the figure. */
export async function pagesOfAudit({ product, asAdmin }: Given, rows: number): Promise<Line[]> {
  const connection = await Connection.open(product.port);
  const times = async (filter: Record<string, string>) => {
    const path = `/api/v1/audit?${new URLSearchParams({ ...filter, limit: "50" })}`;
    const request = requestBytes(product.port, { path, headers: asAdmin });
    const found: number[] = [];
    for (let round = 0; round < scaled(40, 5); round++) {
      const before = performance.now();
      const { status, body } = await connection.send(request);
      if (status !== 200) throw new Error(`${path} answered ${status}: ${body.toString().slice(0, 300)}`);
      found.push(performance.now() - before);
    }
    return percentile(found, 0.99);
  };
  const lines: Line[] = [];
  for (const [name, limit] of [
    ["hits", 100],
    ["none", 300],
  ] as const) {
    let worst = { p99: 0, filter: "" };
    for (const filter of filters()[name]) {
      const p99 = await times(filter);
      console.error(`  ${JSON.stringify(filter)}: ${milliseconds(p99)}`);
      if (p99 > worst.p99) worst = { p99, filter: JSON.stringify(filter) };
    }
    lines.push({
      measured: `${rows.toLocaleString("en")} rows, first page ${name === "hits" ? "of any filter" : "without a hit"}, p99 (slowest: ${worst.filter})`,
      ours: milliseconds(worst.p99),
      target: `<= ${limit} ms`,
      isMet: worst.p99 <= limit,
    });
  }
  connection.close();
  return lines;
}
