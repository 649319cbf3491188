import { installedNode, installProgram } from "../scripts/install-program";
import { requestBytes } from "./connection";
import { interleave, type Target } from "./load";
import { type Anchor, echoed, isThere, type MaybeAnchor, startMcpHub, startMcpProxy, startStub, stubProgram } from "./mcp-anchors";
import { connectStub } from "./mcp-calls";
import { type Line, milliseconds, rate } from "./report";
import { type Given, withProduct } from "./with-product";

const manyCallers = 16;
/** Times of the faster proxy's p50 that a call with guard and audit may take. */
const maxTimes = 1.5;
const revisions = ["2025-11-25", "2026-07-28"] as const;

/** Cost of a call through /mcp, beside the same call through the REST API, and of an upstream tool beside proxies. */
export const mcpEndpoint = (): Promise<Line[]> =>
  withProduct(async (given) => {
    const rest = await given.callTarget("date_time", {}, manyCallers);
    const lines: Line[] = [];
    for (const revision of revisions) lines.push(...(await beside(revision, mcpTarget(given, revision, ownTool), rest)));
    return [...lines, ...(await upstreamOverStdio(given)), ...(await upstreamOverHttp(given))];
  });

type Called = { name: string; args: object; expects: string };
export const ownTool: Called = { name: "date_time", args: {}, expects: '"isError":false' };
export const echoOf = (alias: string): Called => ({ name: `${alias}__echo`, args: echoed, expects: `"text":"${echoed.text}"` });

/** The stub as a child process of each: the one upstream that mcp-proxy knows. */
async function upstreamOverStdio(given: Given): Promise<Line[]> {
  const args = [await installProgram("stub", stubProgram)];
  await connectStub(given.admin, { alias: "piped", transport: "stdio", command: installedNode(), args });
  const proxies = { "mcp-hub": await startMcpHub(given.folder, "stdio"), "mcp-proxy": await startMcpProxy(1) };
  return besideProxies(given, "stdio", echoOf("piped"), proxies);
}

async function upstreamOverHttp(given: Given): Promise<Line[]> {
  const stub = await startStub();
  try {
    await connectStub(given.admin, { alias: "remote", transport: "streamable_http", url: stub.url });
    return await besideProxies(given, "HTTP", echoOf("remote"), { "mcp-hub": await startMcpHub(given.folder, { url: stub.url }) });
  } finally {
    await stub.stop();
  }
}

/** Compares with the fastest proxy, because every one of them passes on and keeps nothing. */
async function besideProxies(given: Given, upstream: string, called: Called, proxies: Record<string, MaybeAnchor>): Promise<Line[]> {
  const there = Object.entries(proxies).filter((entry): entry is [string, Anchor] => isThere(entry[1]));
  try {
    const contestants: Record<string, Target> = Object.fromEntries(there.map(([name, { target }]) => [name, target]));
    for (const revision of revisions) contestants[revision] = mcpTarget(given, revision, called);
    const measured = await interleave(contestants, { callers: 1 });
    const p50 = (name: string) => measured[name]?.p50Ms ?? Number.NaN;
    const [fastest] = there.map(([name]) => name).sort((a, b) => p50(a) - p50(b));
    return revisions.map((revision) => {
      const line = {
        measured: `upstream over ${upstream} through /mcp (${revision}), 1 caller, p50 / `,
        ours: milliseconds(p50(revision)),
      };
      if (!fastest) return { ...line, measured: `${line.measured}proxies`, anchor: "none" };
      const ratio = measured.ratio("p50Ms", revision, fastest);
      const compared = { anchor: milliseconds(p50(fastest)), ratio, target: `<= ${maxTimes}`, isMet: ratio <= maxTimes };
      return { ...line, measured: `${line.measured}${fastest}, the faster`, ...compared };
    });
  } finally {
    for (const [, anchor] of there) await anchor.stop();
  }
}

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
export function mcpTarget({ product: { port }, asAgent }: Given, revision: (typeof revisions)[number], called: Called): Target {
  const isStateless = revision === "2026-07-28";
  const meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: called.name, arguments: called.args, ...(isStateless ? { _meta: meta } : {}) };
  const requests = Array.from({ length: manyCallers }, (_, caller) =>
    requestBytes(port, {
      method: "POST",
      path: "/mcp",
      headers: {
        ...asAgent,
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": revision,
        "handrail-conversation": `bench-${caller}`,
        ...(isStateless ? { "mcp-method": "tools/call", "mcp-name": called.name } : {}),
      },
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    }),
  );
  return { port, expects: called.expects, requestOf: (caller) => requests[caller] ?? requests[0] ?? Buffer.alloc(0) };
}
