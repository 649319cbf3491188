import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { adminEmail, adminPassword, startProduct } from "../e2e/product";
import { startBareInsertServer } from "./bare-insert-server";
import { interleave, type Measured, measure, summarise } from "./measure";
import { startStubMcpServer } from "./stub-mcp-server";

const count = Number(process.env.BENCH_COUNT ?? 200);

/** Measures what a guarded call costs on the running product; see README.md beside this file. */
async function main(): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "handrail-bench-"));
  const stub = await startStubMcpServer();
  const product = await startProduct({ dataDir, name: "bench" });
  try {
    const agent = caller(product.url, product.agentKey() ?? "");
    const { token } = await caller(product.url, null)("POST", "/auth/token", { email: adminEmail, password: adminPassword });
    const admin = caller(product.url, token);
    const server = await admin("POST", "/mcp/servers", { alias: "stub", transport: "streamable_http", url: stub.url, tier: "core" });
    await until(async () => (await admin("GET", `/mcp/servers/${server.id}`)).status === "connected");
    const { id: conversationId } = await agent("POST", "/conversations", {});
    const turn = async (name: string, args: object, wait = 30) =>
      agent("POST", `/conversations/${conversationId}/turns`, { calls: [{ id: "1", name, arguments: args }], wait });
    const succeed = async (name: string, args: object) => {
      const { calls } = await turn(name, args);
      if (calls[0].status !== "succeeded") throw new Error(`${name}: ${calls[0].status}: ${calls[0].content}`);
    };

    console.log(
      `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${os.cpus().length} cores (${os.cpus()[0]?.model.trim()}), ${count} calls a round, 5 rounds`,
    );
    console.log("measured                              callers   ours p50   p99    /s      anchor p50   p99    /s      p50 ratio");

    const databaseUrl = process.env.BENCH_DATABASE_URL;
    const bare = databaseUrl ? await startBareInsertServer(databaseUrl) : null;
    const direct = new Client({ name: "bench", version: "1.0.0" });
    await direct.connect(new StreamableHTTPClientTransport(new URL(stub.url)));
    for (const callers of [1, 10]) {
      if (bare) {
        const builtin = await interleave(
          () => succeed("date_time", {}),
          async () => void (await (await fetch(bare.url, { method: "POST", body: JSON.stringify({ timezone: "UTC" }) })).json()),
          { callers, count },
        );
        row("guarded builtin call / bare insert", callers, builtin.ours, builtin.anchor);
      } else {
        row("guarded builtin call", callers, await measure(() => succeed("date_time", {}), { callers, count }));
      }
      const proxied = await interleave(
        () => succeed("stub__echo", { text: "hello" }),
        async () => void (await direct.callTool({ name: "echo", arguments: { text: "hello" } })),
        { callers, count },
      );
      row("guarded MCP call / direct MCP call", callers, proxied.ours, proxied.anchor);
    }
    await direct.close();
    await bare?.stop();

    const decisions: number[] = [];
    const began = performance.now();
    for (let round = 0; round < Math.min(count, 100); round++) {
      const asked = await turn("write_file", { path: "bench.txt", content: String(round) });
      const waiting = agent("GET", `/turns/${asked.id}?wait=30`);
      const before = performance.now();
      await admin("POST", `/approvals/${asked.calls[0].approvalId}/decision`, { decision: "approve" });
      const done = await waiting;
      decisions.push(performance.now() - before);
      if (done.calls[0].status !== "succeeded") throw new Error(`write_file: ${done.calls[0].content}`);
    }
    row("decision to result in a long poll", 1, summarise(decisions, performance.now() - began));
  } finally {
    await product.stop();
    stub.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function row(name: string, callers: number, ours: Measured, anchor?: Measured): void {
  const figures = ({ p50Ms, p99Ms, perSecond }: Measured) =>
    `${p50Ms.toFixed(2).padStart(7)} ${p99Ms.toFixed(2).padStart(7)} ${perSecond.toFixed(0).padStart(6)}`;
  const beside = anchor ? `   ${figures(anchor)}      ${(ours.p50Ms / anchor.p50Ms).toFixed(2)}` : "";
  console.log(`${name.padEnd(38)}${String(callers).padStart(6)}    ${figures(ours)}${beside}`);
}

// biome-ignore lint/suspicious/noExplicitAny: a measuring script reads answers whose shapes the product's tests check.
type Answer = any;

function caller(url: string, token: string | null) {
  return async (method: string, route: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${url}/api/v1${route}`, {
      method,
      headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error("waited for 30 s");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

await main();
