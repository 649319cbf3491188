import { requestBytes } from "./connection";
import { interleave, type Target } from "./load";
import { type Line, milliseconds, rate } from "./report";
import { type Given, withProduct } from "./with-product";

const manyCallers = 16;
const revisions = ["2025-11-25", "2026-07-28"] as const;

/** Cost of a call through /mcp, beside the same call through the REST API. */
export const mcpEndpoint = (): Promise<Line[]> =>
  withProduct(async (given) => {
    const rest = await given.callTarget("date_time", {}, manyCallers);
    const lines: Line[] = [];
    for (const revision of revisions) lines.push(...(await beside(revision, mcpTarget(given, revision), rest)));
    return lines;
  });

async function beside(revision: string, mcp: Target, rest: Target): Promise<Line[]> {
  const one = await interleave({ mcp, rest }, { callers: 1 });
  const many = await interleave({ mcp, rest }, { callers: manyCallers });
  return [
    {
      measured: `date_time through /mcp (${revision}), 1 caller, p50 / REST`,
      ours: milliseconds(one.mcp.p50Ms),
      anchor: milliseconds(one.rest.p50Ms),
      ratio: one.ratio("p50Ms", "mcp", "rest"),
    },
    {
      measured: `date_time through /mcp (${revision}), ${manyCallers} callers, calls/s / REST`,
      ours: rate(many.mcp.perSecond),
      anchor: rate(many.rest.perSecond),
      ratio: many.ratio("perSecond", "mcp", "rest"),
    },
  ];
}

/** The call as a client of the revision sends it; each caller has a conversation of its own. */
function mcpTarget({ product: { port }, asAgent }: Given, revision: (typeof revisions)[number]): Target {
  const isStateless = revision === "2026-07-28";
  const meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: "date_time", arguments: {}, ...(isStateless ? { _meta: meta } : {}) };
  const requests = Array.from({ length: manyCallers }, (_, caller) =>
    requestBytes(port, {
      method: "POST",
      path: "/mcp",
      headers: {
        ...asAgent,
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": revision,
        "handrail-conversation": `bench-${caller}`,
        ...(isStateless ? { "mcp-method": "tools/call", "mcp-name": "date_time" } : {}),
      },
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    }),
  );
  return { port, expects: '"isError":false', requestOf: (caller) => requests[caller] ?? requests[0] ?? Buffer.alloc(0) };
}
