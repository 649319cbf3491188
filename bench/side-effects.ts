import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { guardEndpoints } from "../contracts/guard/guard";
import { Connection } from "./connection";
import type { Line } from "./report";
import { scaled } from "./scale";
import { type Given, withProduct } from "./with-product";

/** After how long Postgres has counted what its idle connections did. */
const countedAfterMs = 11_000;

type Counters = { writes: number; flushes: number; transactions: number };

/** How often a call with a side effect makes Postgres commit; `write_file` itself never does. */
export const sideEffects = (): Promise<Line[]> =>
  withProduct(async (given) => {
    const { admin, callTarget, databaseUrl } = given;
    await admin.call(guardEndpoints.createRule, { body: { name: "Writing", tool: "write_file", verdict: "allow", reason: "The bench" } });
    const target = await callTarget("write_file", { path: "bench.txt", content: "a line\n" }, 1);
    const count = scaled(300, 20);
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
    try {
      await callInTurn(given, target.requestOf(0), 20);
      const { spent, tookMs } = await around(sql, () => callInTurn(given, target.requestOf(0), count));
      // Subtracts the product's own work of the same time, because calls did not cause it.
      const idle = await around(sql, () => pause(tookMs));
      const perCall = (figure: keyof Counters) => Math.max(0, spent[figure] - idle.spent[figure]) / count;
      const commits = perCall("writes");
      return [
        {
          measured: "write_file, commits that wrote, per call",
          ours: commits.toFixed(2),
          target: "<= 2",
          isMet: commits <= 2.05,
        },
        { measured: "write_file, flushes of the journal to disk, per call", ours: perCall("flushes").toFixed(2) },
        { measured: "write_file, transactions with those that only read, per call", ours: perCall("transactions").toFixed(2) },
      ];
    } finally {
      await sql.end();
    }
  });

async function callInTurn({ product }: Given, request: Buffer, count: number): Promise<void> {
  const connection = await Connection.open(product.port);
  for (let made = 0; made < count; made++) {
    const { status, body } = await connection.send(request);
    if (status !== 200 || !body.includes('"status":"succeeded"')) throw new Error(`a write failed (${status}): ${body}`);
  }
  connection.close();
}

async function around(sql: postgres.Sql, work: () => Promise<void>): Promise<{ spent: Counters; tookMs: number }> {
  await pause(countedAfterMs);
  const before = await counters(sql);
  const began = performance.now();
  await work();
  const tookMs = performance.now() - began;
  await pause(countedAfterMs);
  const after = await counters(sql);
  return {
    tookMs,
    spent: {
      writes: after.writes - before.writes,
      flushes: after.flushes - before.flushes,
      transactions: after.transactions - before.transactions,
    },
  };
}

/** A transaction gets a number when it first writes: the next number to give counts them, and asking takes none. */
async function counters(sql: postgres.Sql): Promise<Counters> {
  const [row] = await sql<{ writes: string; flushes: string; transactions: string }[]>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as writes,
      (select coalesce(sum(fsyncs), 0) from pg_stat_io where object = 'wal') as flushes,
      (select xact_commit from pg_stat_database where datname = current_database()) as transactions`;
  return { writes: Number(row?.writes), flushes: Number(row?.flushes), transactions: Number(row?.transactions) };
}
