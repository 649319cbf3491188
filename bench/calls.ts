import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { approvalEndpoints } from "../contracts/approvals";
import type { JsonObject } from "../contracts/common";
import { conversationEndpoints } from "../contracts/conversations";
import { identityEndpoints } from "../contracts/identity";
import { mcpServerEndpoints } from "../contracts/mcp-servers";
import { type Turn, turnEndpoints } from "../contracts/turns";
import { startEmbeddedPostgres } from "../db/embedded";
import { caller } from "../e2e/caller";
import { adminEmail, adminPassword, startProduct } from "../e2e/product";
import { startBareInsertServer } from "./bare-insert-server";
import { interleave, type Measured, summarise } from "./measure";
import { startStubMcpServer } from "./stub-mcp-server";

const count = Number(process.env.BENCH_COUNT ?? 200);

/** Measures what a guarded call costs on the running product; see README.md beside this file. */
async function main(): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "handrail-bench-"));
  const postgres = await startEmbeddedPostgres(await mkdtemp(path.join(dataDir, "postgres-")));
  const stub = await startStubMcpServer();
  const bare = await startBareInsertServer(postgres.url);
  const product = await startProduct({ dataDir, name: "bench", databaseUrl: postgres.url });
  try {
    const agent = caller(product.url, product.agentKey());
    const { token } = await agent.call(identityEndpoints.token, { body: { email: adminEmail, password: adminPassword } });
    const admin = caller(product.url, token);
    const server = await admin.call(mcpServerEndpoints.create, {
      body: { alias: "stub", transport: "streamable_http", url: stub.url, tier: "core" },
    });
    await until(async () => (await admin.call(mcpServerEndpoints.get, { params: { id: server.id } })).status === "connected");
    const conversation = await agent.call(conversationEndpoints.create, { body: {} });
    const turn = (name: string, args: JsonObject) =>
      agent.call(turnEndpoints.submit, { params: { id: conversation.id }, body: { calls: [{ id: "1", name, arguments: args }] } });
    const succeed = async (name: string, args: JsonObject) => demandSuccess(await turn(name, args));

    console.log(
      `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${os.cpus().length} cores (${os.cpus()[0]?.model.trim()}), ${count} calls a round, 5 rounds`,
    );
    console.log("measured                              callers   ours p50   p99    /s      anchor p50   p99    /s      p50 ratio");

    const direct = new Client({ name: "bench", version: "1.0.0" });
    await direct.connect(new StreamableHTTPClientTransport(new URL(stub.url)));
    for (const callers of [1, 10]) {
      const builtin = await interleave(
        () => succeed("date_time", {}),
        async () => void (await (await fetch(bare.url, { method: "POST", body: JSON.stringify({ timezone: "UTC" }) })).json()),
        { callers, count },
      );
      row("guarded builtin call / bare insert", callers, builtin.ours, builtin.anchor);
      const proxied = await interleave(
        () => succeed("stub__echo", { text: "hello" }),
        async () => void (await direct.callTool({ name: "echo", arguments: { text: "hello" } })),
        { callers, count },
      );
      row("guarded MCP call / direct MCP call", callers, proxied.ours, proxied.anchor);
    }
    await direct.close();

    const decisions: number[] = [];
    const began = performance.now();
    for (let round = 0; round < Math.min(count, 100); round++) {
      const asked = await turn("write_file", { path: "bench.txt", content: String(round) });
      const waiting = agent.call(turnEndpoints.get, { params: { id: asked.id }, query: { wait: 30 } });
      const before = performance.now();
      const params = { id: asked.calls[0]?.approvalId ?? "" };
      await admin.call(approvalEndpoints.decide, { params, body: { decision: "approve" } });
      const done = await waiting;
      decisions.push(performance.now() - before);
      demandSuccess(done);
    }
    row("decision to result in a long poll", 1, summarise(decisions, performance.now() - began));
  } finally {
    await product.stop();
    await bare.stop();
    stub.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function row(name: string, callers: number, ours: Measured, anchor?: Measured): void {
  const figures = ({ p50Ms, p99Ms, perSecond }: Measured) =>
    `${p50Ms.toFixed(2).padStart(7)} ${p99Ms.toFixed(2).padStart(7)} ${perSecond.toFixed(0).padStart(6)}`;
  const beside = anchor ? `   ${figures(anchor)}      ${(ours.p50Ms / anchor.p50Ms).toFixed(2)}` : "";
  console.log(`${name.padEnd(38)}${String(callers).padStart(6)}    ${figures(ours)}${beside}`);
}

function demandSuccess({ calls: [call] }: Turn): void {
  if (call?.status !== "succeeded") throw new Error(`${call?.name}: ${call?.status}: ${call?.content}`);
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error("waited for 30 s");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

await main();
