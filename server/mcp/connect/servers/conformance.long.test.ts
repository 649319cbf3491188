import { mkdtemp, rm } from "node:fs/promises";
import { createServer as createHttp } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { env } from "@/server/platform/env";
import { newId } from "@/server/platform/ids";
import { runConformance, scoredScenarios } from "@/server/testing/conformance/run-suite";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import type { PersonQuestion } from "@/server/tools/define-tool";
import { mcpConnections } from "../connections/connections";
import { beginAuthorization } from "./begin-authorization";
import { createServer } from "./create-server";
import { finishAuthorization } from "./finish-authorization";
import { getServer } from "./get-server";
import { removeServer } from "./remove-server";

type Scenario = {
  scenario: string;
  serverUrl: string;
  context: { client_id?: string; client_secret?: string; toolCalls?: { name: string; arguments: Record<string, never> }[] };
};

const { admin, reader, start, run } = useConnectedServers();
vi.setConfig({ testTimeout: 300_000 });
const sessionId = newId();
let folder: string;
let driver: string;
let count = 0;
let restore: object = {};

beforeAll(async () => {
  // Only a document at an https address is a client ID.
  restore = { ...env() };
  Object.assign(env(), { publicUrl: "https://handrail.example.com", mcpAuthorizationHosts: [] });
  folder = await mkdtemp(path.join(tmpdir(), "handrail-conformance-"));
  const http = createHttp(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await play(JSON.parse(Buffer.concat(chunks).toString())).then(
      (told) => ({ status: 200, told }),
      (error) => ({ status: 500, told: String(error?.stack ?? error) }),
    );
    response.writeHead(answer.status).end(answer.told);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  driver = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return () => void http.close();
});
afterAll(async () => {
  Object.assign(env(), restore);
  await rm(folder, { recursive: true, force: true });
});

/** Does with the scenario's server what a person and a model would do: connects it, signs in when asked, and calls every tool. */
async function play({ serverUrl, context }: Scenario): Promise<string> {
  count += 1;
  const alias = `c${count}`;
  const draft = McpServerDraft.parse({ alias, transport: "streamable_http", url: serverUrl, connectTimeoutSeconds: 15, trustHints: true });
  const { id } = await createServer(admin(), draft);
  const story: string[] = [];
  try {
    let { status } = await settled(id, story);
    for (let signIns = 0; status === "needs_sign_in" && signIns < 3; signIns += 1) {
      await signIn(id, context);
      ({ status } = await settled(id, story));
    }
    if (status !== "connected") return story.join("\n");
    const session = mcpConnections().find(id)?.session();
    const calls = context.toolCalls ?? session?.tools.map(({ name, inputSchema }) => ({ name, arguments: sample(inputSchema) })) ?? [];
    for (const { name, arguments: args } of calls) {
      for (let tries = 0; tries < 3; tries += 1) {
        story.push(`${name}: ${await run(id, `${alias}__${name}`, args, { ask: person }).catch((error) => `! ${error.message}`)}`);
        const { authorization, status: now } = await getServer(reader(), id);
        if (!authorization?.neededScope && now !== "needs_sign_in") break;
        await signIn(id, context);
        await settled(id, story);
      }
    }
    const resources = await session?.listResources().catch(() => null);
    for (const { uri, isTemplate } of resources?.items ?? [])
      if (!isTemplate) await session?.readResource(uri, AbortSignal.timeout(5_000)).catch(() => []);
    await session?.listPrompts().catch(() => null);
    return story.join("\n");
  } finally {
    await removeServer(admin(), id, null);
  }
}

async function settled(id: string, story: string[]) {
  await expect.poll(async () => (await getServer(reader(), id)).status, { interval: 25 }).not.toBe("connecting");
  const server = await getServer(reader(), id);
  story.push(`${server.status}${server.lastError ? `: ${server.lastError}` : ""}`);
  return server;
}

/** The authorization servers of the suite answer without a page, so that the browser is one request. */
async function signIn(id: string, { client_id: clientId, client_secret: clientSecret }: Scenario["context"]) {
  const draft = { ...(clientId ? { clientId } : {}), ...(clientSecret ? { clientSecret } : {}) };
  const begin = () => beginAuthorization(admin(), id, draft, sessionId);
  const { authorizationUrl } = await begin().catch((error) => {
    listHost(error.message);
    return begin();
  });
  const answer = await fetch(authorizationUrl, { redirect: "manual" });
  const back = new URL(answer.headers.get("location") ?? "");
  await finishAuthorization(admin(), sessionId, Object.fromEntries(back.searchParams));
}

/** Does what the refusal tells the operator, because the suite's authorization servers have ports that nobody knows before. */
function listHost(refusal: string): void {
  const host = /^(localhost:\d+) is a private or local address/.exec(refusal)?.[1];
  if (!host) throw new Error(refusal);
  (env().mcpAuthorizationHosts as string[]).push(host);
}

const person = async ({ options = [] }: PersonQuestion) => (options.includes("Skip") ? "Skip" : (options[0] ?? "text"));

function sample(schema: unknown): Record<string, never> {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, { type?: string }>; required?: string[] };
  const values: Record<string, unknown> = { number: 1, integer: 1, boolean: true, array: [], object: {} };
  return Object.fromEntries(required.map((name) => [name, values[properties[name]?.type ?? ""] ?? "text"])) as Record<string, never>;
}

for (const [revision, least] of [
  ["2025-11-25", 18],
  ["2026-07-28", 32],
] as const) {
  test(`our client passes every client scenario of ${revision} that the official suite scores`, async () => {
    await start();
    const command = `${process.execPath} ${path.resolve("server/testing/conformance/knock.mjs")} ${driver}`;
    const seen = await runConformance(["client", "--requirements", revision, "--command", command], path.join(folder, revision));
    const scored = scoredScenarios("client", revision);
    const ran = seen.filter(({ scenario }) => scored.includes(scenario));
    expect(ran.map(({ scenario }) => scenario)).toEqual([...scored].sort());
    expect(ran.length).toBeGreaterThanOrEqual(least);
    const faults = ran.filter(({ failed }) => failed > 0);
    expect(faults.map(({ scenario, messages }) => ({ scenario, messages }))).toEqual([]);
    // The suite wants the address of its own document, and warns about ours.
    expect(ran.filter(({ warned }) => warned > 0).map(({ scenario }) => scenario)).toEqual(["auth/basic-cimd"]);
  });
}
