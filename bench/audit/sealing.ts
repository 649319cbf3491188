import { cp, mkdir } from "node:fs/promises";
import path from "node:path";
import postgres from "postgres";
import { load, type Target } from "../load";
import { type Line, milliseconds, rate } from "../report";
import { roundSeconds, scaled } from "../scale";
import { startBenchProduct } from "../start-product";
import { median, percentile } from "../statistics";
import type { Given } from "../with-product";

const manyCallers = 64;

/** Keeps every process from sealing by holding the lock of the one that seals. */
export async function withHeldSealer<Result>(databaseUrl: string, use: () => Promise<Result>): Promise<Result> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    await sql`select pg_advisory_lock(hashtextextended('audit-seals', 0))`;
    return await use();
  } finally {
    await sql.end();
  }
}

/** Rounds with sealing and without, in turn, in one run; rows of a round without are sealed before the next one begins. */
export async function costOfSealing({ callTarget, databaseUrl }: Given): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [callers, figure] of [
    [1, "p50Ms"],
    [manyCallers, "perSecond"],
  ] as const) {
    const target = await callTarget("date_time", {}, callers);
    await load(target, callers);
    const rounds: { sealing: number; held: number }[] = [];
    for (let round = 0; round < scaled(9, 2); round++) {
      const held = async () => withHeldSealer(databaseUrl, () => load(target, callers));
      const first = round % 2 === 0;
      const a = await (first ? held() : load(target, callers));
      await untilSealed(databaseUrl);
      const b = await (first ? load(target, callers) : held());
      await untilSealed(databaseUrl);
      rounds.push({ held: (first ? a : b)[figure], sealing: (first ? b : a)[figure] });
    }
    const ratio = median(rounds.map(({ sealing, held }) => (figure === "p50Ms" ? sealing / held : held / sealing)));
    const middle = (name: "sealing" | "held") => median(rounds.map((round) => round[name]));
    const written = figure === "p50Ms" ? milliseconds : rate;
    lines.push({
      measured: `date_time, ${callers === 1 ? "1 caller, p50" : `${callers} callers, calls/s`}, with sealing / without`,
      ours: written(middle("sealing")),
      anchor: written(middle("held")),
      ratio,
      target: "<= 1.02",
      isMet: ratio <= 1.02,
    });
  }
  return lines;
}

/** Delay between a row and its seal while 64 callers call. */
export async function lagAtLoad({ callTarget, databaseUrl }: Given): Promise<Line> {
  const target = await callTarget("date_time", {}, manyCallers);
  const [from] = await query<{ now: string }>(databaseUrl, "select now()::text as now");
  await load(target, manyCallers, roundSeconds * 5);
  await untilSealed(databaseUrl);
  const seals = await query<{ lag: number }>(
    databaseUrl,
    `select (extract(epoch from sealed_at - min_at) * 1000)::float8 as lag from audit_seals where min_at > '${from?.now}'::timestamptz`,
  );
  const lag = percentile(
    seals.map((seal) => seal.lag),
    0.99,
  );
  return {
    measured: "oldest row of a seal behind its seal, 64 callers, p99",
    ours: milliseconds(lag),
    target: "<= 2 s",
    isMet: lag <= 2_000,
  };
}

/** A second process serves beside the first one, and the one that answers the load is killed. */
export async function lagAfterKill({ callTarget, databaseUrl, folder, conversations: _, product }: Given): Promise<Line> {
  const dataDir = path.join(folder, "second");
  await mkdir(dataDir, { recursive: true });
  await cp(path.join(folder, "data", "secret-key"), path.join(dataDir, "secret-key"));
  const second = await startBenchProduct({ dataDir, databaseUrl });
  try {
    const target: Target = { ...(await callTarget("date_time", {}, manyCallers)), port: second.port };
    // The first calls of a process take their time, and nothing is sealed meanwhile.
    await load(target, manyCallers, roundSeconds / 3);
    let failed: unknown = null;
    const loading = load(target, manyCallers, roundSeconds * 3).catch((error: unknown) => {
      failed = error;
    });
    await new Promise((resolve) => setTimeout(resolve, roundSeconds * 1_000));
    if (failed !== null) throw failed;
    const killedAt = Date.now();
    process.kill(second.pid, "SIGKILL");
    await loading;
    await untilSealed(databaseUrl);
    const [row] = await query<{ lag: number }>(
      databaseUrl,
      `select max(extract(epoch from sealed_at - min_at) * 1000)::float8 as lag from audit_seals where sealed_at > to_timestamp(${(killedAt - 2_000) / 1_000})`,
    );
    const lag = row?.lag;
    if (lag == null) throw new Error("nothing was sealed about the time of the kill");
    const isMet = lag <= 10_000 && product.pid !== second.pid;
    return {
      measured: "oldest row behind its seal after kill -9 of a process under load",
      ours: milliseconds(lag),
      target: "<= 10 s",
      isMet,
    };
  } finally {
    await second.stop();
  }
}

export async function query<Row extends object>(databaseUrl: string, text: string): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    return await sql.unsafe<Row[]>(text);
  } finally {
    await sql.end();
  }
}

/** Waits until the last seal of every workspace covers its last row. */
export async function untilSealed(databaseUrl: string): Promise<void> {
  for (;;) {
    const [row] = await query<{ waits: boolean }>(
      databaseUrl,
      `select exists (select from workspaces w cross join lateral (
         select e.xid, e.id from audit_events e where e.workspace_id = w.id order by e.xid desc, e.id desc limit 1) e
         where (e.xid, e.id) > (select coalesce(max((s.last_xid)), -1), coalesce((array_agg(s.last_id order by s.number desc))[1], '00000000-0000-0000-0000-000000000000')
           from audit_seals s where s.workspace_id = w.id)) as waits`,
    );
    if (!row?.waits) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
