import { mkdtemp, rm } from "node:fs/promises";
import { createServer as createHttp } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { startFixtureServer } from "@/scripts/conformance/fixture-server";
import { startKeyProxy } from "@/scripts/conformance/key-proxy";
import { reasonFor, warningFor } from "@/server/testing/conformance/reasons";
import { runConformance, scoredScenarios } from "@/server/testing/conformance/run-suite";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { buildMcpKey } from "@/server/testing/mcp/mcp-clients";
import { handleMcp } from "./handle-mcp";

const { connectedAs, house, start } = useConnectedServers();
vi.setConfig({ testTimeout: 170_000 });
const stops: (() => void)[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "handrail-conformance-"));
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Serves the endpoint as the fast lane does, without the rest of the product. */
async function serveEndpoint(): Promise<string> {
  const http = createHttp(async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers)) if (typeof value === "string") headers.set(name, value);
    const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
    const body = hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" } : {};
    const init = { method: incoming.method, headers, signal: gone.signal, ...body } as RequestInit;
    const answer = await handleMcp(new Request(`http://${incoming.headers.host}${incoming.url}`, init));
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) outgoing.write(chunk);
    outgoing.end();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  stops.push(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

for (const revision of ["2025-11-25", "2026-07-28"]) {
  test(`/mcp passes the server scenarios of ${revision} that it offers, with the suite's fixtures behind it`, async () => {
    await start();
    const upstream = await startFixtureServer();
    stops.push(upstream.stop);
    const alias = "conformance";
    const draft = { alias, transport: "streamable_http", url: upstream.url, tier: "core", trustHints: true, offerContents: true };
    await connectedAs(McpServerDraft.parse(draft));
    const proxy = await startKeyProxy({ target: await serveEndpoint(), key: await buildMcpKey(house(), crypto.randomUUID()), alias });
    stops.push(proxy.stop);
    const seen = await runConformance(["server", "--requirements", revision, "--url", proxy.url], path.join(folder, revision));
    expect(seen.map(({ scenario }) => scenario)).toEqual(expect.arrayContaining(scoredScenarios("server", revision)));
    const faults = seen.filter(({ scenario, failed, warned }) =>
      failed > 0 ? reasonFor(scenario) === null : warned > 0 && warningFor(scenario) === null,
    );
    expect(faults.map(({ scenario, messages }) => ({ scenario, messages }))).toEqual([]);
    // A reason for a scenario that passes would hide its next failure.
    const idle = seen.filter(
      ({ scenario, failed, warned }) => failed === 0 && warned === 0 && (reasonFor(scenario) ?? warningFor(scenario)) !== null,
    );
    expect(idle.map(({ scenario }) => scenario)).toEqual([]);
  });
}
