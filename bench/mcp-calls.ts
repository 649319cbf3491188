import { mcpServerEndpoints } from "../contracts/mcp/mcp-servers";
import type { Caller } from "../e2e/caller";
import { installedNode, installProgram } from "../scripts/install-program";
import { type Compared, interleave, type Target } from "./load";
import { type Anchor, echoed, isThere, type MaybeAnchor, startMcpHub, startMcpProxy, startStub, stubProgram } from "./mcp-anchors";
import { type Line, milliseconds, rate } from "./report";
import { type Given, withProduct } from "./with-product";

const someCallers = 10;

/** Cost of a guarded, audited call of an upstream MCP tool, beside proxies that do neither. */
export const mcpCalls = (): Promise<Line[]> => withProduct(async (given) => [...(await overStdio(given)), ...(await overHttp(given))]);

/** The stub as a child process of each proxy: the one upstream that all three know. */
async function overStdio({ admin, callTarget, folder }: Given): Promise<Line[]> {
  await connectStub(admin, {
    alias: "stdio",
    transport: "stdio",
    command: installedNode(),
    args: [await installProgram("stub", stubProgram)],
  });
  const ours = await callTarget("stdio__echo", echoed, someCallers);
  const hub = await startMcpHub(folder, "stdio");
  const proxy = await startMcpProxy(someCallers);
  try {
    return await beside("MCP call, stub over stdio", ours, { "mcp-hub": hub, "mcp-proxy": proxy });
  } finally {
    for (const anchor of [hub, proxy]) if (isThere(anchor)) await anchor.stop();
  }
}

/** One stub over streamable HTTP behind both, and asked directly. */
async function overHttp({ admin, callTarget, folder }: Given): Promise<Line[]> {
  const stub = await startStub();
  try {
    await connectStub(admin, { alias: "http", transport: "streamable_http", url: stub.url });
    const ours = await callTarget("http__echo", echoed, someCallers);
    const hub = await startMcpHub(folder, { url: stub.url });
    try {
      return await beside("MCP call, stub over HTTP", ours, { "mcp-hub": hub, "the direct call": stub });
    } finally {
      if (isThere(hub)) await hub.stop();
    }
  } finally {
    await stub.stop();
  }
}

/** Adds the stub as a server of the product, and waits until its tools are there. */
export async function connectStub(
  admin: Caller,
  server: { alias: string } & ({ transport: "stdio"; command: string; args: string[] } | { transport: "streamable_http"; url: string }),
): Promise<void> {
  const { id } = await admin.call(mcpServerEndpoints.create, { body: { ...server, tier: "core", trustHints: true } });
  const deadline = Date.now() + 30_000;
  for (;;) {
    const { status, lastError } = await admin.call(mcpServerEndpoints.get, { params: { id } });
    if (status === "connected") return;
    if (Date.now() > deadline) throw new Error(`the stub did not connect within 30 s (${status}: ${lastError})`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function beside(what: string, ours: Target, anchors: Record<string, MaybeAnchor>): Promise<Line[]> {
  const there = Object.entries(anchors).filter((entry): entry is [string, Anchor] => isThere(entry[1]));
  const contestants: Record<string, Target> = { ours, ...Object.fromEntries(there.map(([name, { target }]) => [name, target])) };
  const alone = await interleave(contestants, { callers: 1 });
  const together = await interleave(contestants, { callers: someCallers });
  return Object.entries(anchors).flatMap(([name, anchor]) =>
    isThere(anchor)
      ? comparedWith(what, name, alone, together)
      : [{ measured: `${what} / ${name}`, ours: milliseconds(alone.ours?.p50Ms ?? Number.NaN), anchor: `none: ${anchor.missing}` }],
  );
}

/** Times of a rival's p50 that a guarded, audited call may take: its own upstream over HTTP, a pipe to a child process. */
const most: Record<string, number> = { "over HTTP / mcp-hub": 1.5, "over stdio / mcp-proxy": 2 };

/** The rate, mcp-hub over a pipe and the direct call are only there to be seen: none of them keeps anything. */
function comparedWith(what: string, name: string, alone: Compared<string>, together: Compared<string>): Line[] {
  const slower = alone.ratio("p50Ms", "ours", name);
  const more = together.ratio("perSecond", "ours", name);
  const target = most[`${what.replace(/^.*(?=over )/, "")} / ${name}`];
  return [
    {
      measured: `${what}, 1 caller, p50 / ${name}`,
      ours: milliseconds(alone.ours?.p50Ms ?? Number.NaN),
      anchor: milliseconds(alone[name]?.p50Ms ?? Number.NaN),
      ratio: slower,
      ...(target ? { target: `<= ${target}`, isMet: slower <= target } : {}),
    },
    {
      measured: `${what}, ${someCallers} callers, calls/s / ${name}`,
      ours: rate(together.ours?.perSecond ?? Number.NaN),
      anchor: rate(together[name]?.perSecond ?? Number.NaN),
      ratio: more,
    },
  ];
}
