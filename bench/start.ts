import path from "node:path";
import { conversationEndpoints } from "../contracts/conversations/conversations";
import { caller } from "../e2e/caller";
import { startProgram } from "./child-program";
import { Connection, requestBytes } from "./connection";
import { type Line, milliseconds } from "./report";
import { scaled } from "./scale";
import { type BenchProduct, startBenchProduct } from "./start-product";
import { median } from "./statistics";
import { withFolder } from "./with-folder";
import { turnRequest, withPostgres } from "./with-product";

const limitMs = 3_000;
const bareServer = `const server = require("node:http").createServer((request, response) => response.end("ok"));
server.listen(0, "127.0.0.1", () => console.log("listening on " + server.address().port));`;

/** From the start script's start to the first answered call, built and with a database that has been used. */
export const start = (): Promise<Line[]> =>
  withFolder(async (folder) => {
    const warm = await withPostgres(folder, (databaseUrl) => starts({ dataDir: path.join(folder, "data"), databaseUrl }));
    const bare = await bareStart();
    const embedded = await starts({ dataDir: path.join(folder, "with-postgres") });
    return [
      {
        measured: "start to first answered call, Postgres running",
        ours: milliseconds(warm),
        anchor: `${milliseconds(bare)} (bare Node server)`,
        ratio: warm / bare,
        target: `< ${limitMs} ms`,
        isMet: warm < limitMs,
      },
      { measured: "start to first answered call, embedded Postgres started with it", ours: milliseconds(embedded) },
    ];
  });

/** The same for a Node server of one line: what the machine takes for any of them right now. */
async function bareStart(): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < scaled(5, 2); time++) {
    const began = performance.now();
    const server = startProgram(["--eval", bareServer]);
    const [, port] = await server.says(/listening on (\d+)/);
    const connection = await Connection.open(Number(port));
    await connection.send(requestBytes(Number(port), { path: "/" }));
    times.push(performance.now() - began);
    connection.close();
    await server.stop();
  }
  return median(times);
}

/** Median of several starts after a first one, which makes the workspace. */
async function starts(options: { dataDir: string; databaseUrl?: string }): Promise<number> {
  const first = await startBenchProduct(options);
  const agentKey = first.agentKey ?? "";
  const { id } = await caller(first.url, agentKey).call(conversationEndpoints.create, { body: {} });
  await first.stop();
  const times: number[] = [];
  for (let time = 0; time < scaled(5, 2); time++) {
    const product = await startBenchProduct(options);
    try {
      times.push(product.readyAfterMs + (await firstCall(product, agentKey, id)));
    } finally {
      await product.stop();
    }
  }
  return median(times);
}

async function firstCall({ port }: BenchProduct, agentKey: string, conversationId: string): Promise<number> {
  const began = performance.now();
  const connection = await Connection.open(port);
  const request = turnRequest(port, conversationId, { authorization: `Bearer ${agentKey}` }, "date_time", {});
  const { status, body } = await connection.send(request);
  connection.close();
  if (status !== 200) throw new Error(`the first call was answered ${status}: ${body}`);
  return performance.now() - began;
}
