import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { messengerEndpoints } from "../contracts/messengers/messengers";
import { modelEndpoints } from "../contracts/models/models";
import { startTelegramServer, type TelegramServer, telegramToken } from "../server/testing/platforms/telegram-server";
import { Connection, requestBytes } from "./connection";
import { startBenchModelServer } from "./model-server";
import { type Line, megabytes, milliseconds, rate } from "./report";
import { scaled } from "./scale";
import { median, percentile } from "./statistics";
import { type Given, withProduct } from "./with-product";

const limits = { startMs: 20, perSecond: 500, accountBytes: 150 * 1_048_576 };
const chats = 50;
const accounts = 80;
const waitMs = 120_000;

/** Messages of platforms: from the row to the start of its run, many chats at once, and what accounts weigh. */
export async function messengers(): Promise<Line[]> {
  const messages = await withTelegram(async (bench) => [await untilRunStarts(bench), ...(await manyChats(bench))]);
  // A product of its own, because the memory of what came before goes only gradually.
  return [...messages, await withTelegram(manyAccounts)];
}

const withTelegram = <Result>(use: (bench: Bench) => Promise<Result>): Promise<Result> =>
  withProduct(
    async (given) => {
      const telegram = await startTelegramServer();
      const model = await startBenchModelServer(() => ({ text: "Hello." }));
      const sql = postgres(given.databaseUrl, { max: 2, onnotice: () => {} });
      try {
        await given.admin.call(modelEndpoints.create, {
          body: { name: "Bench", kind: "openai_compatible", baseUrl: model.url, key: "sk-bench", models: [{ name: "bench" }] },
        });
        return await use({ given, telegram, sql });
      } finally {
        await sql.end({ timeout: 1 });
        await model.close();
        await telegram.close();
      }
    },
    { HANDRAIL_MESSENGER_ALLOW_PRIVATE: "true" },
  );

type Bench = { given: Given; telegram: TelegramServer; sql: postgres.Sql };
type Transport = "webhook" | "connection";

async function connect({ given: { admin }, telegram }: Bench, name: string, transport: Transport): Promise<string> {
  const { id } = await admin.call(messengerEndpoints.create, {
    body: {
      ...{ name, transport, platform: "telegram", writers: "anyone", streams: false },
      settings: { apiUrl: telegram.url },
      secrets: { token: telegramToken },
    },
  });
  return id;
}

async function untilConnected({ sql }: Bench, count: number): Promise<void> {
  await until("the accounts were connected", async () => {
    const [row] = await sql<{ open: number }[]>`select count(*)::int as open from messengers where state = 'connected'`;
    return (row?.open ?? 0) >= count;
  });
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + waitMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`it took longer than ${waitMs / 1_000} s until ${what}`);
    await pause(20);
  }
}

/** From the moment of the row to that of its run, as the database has them; one message at a time. */
async function untilRunStarts(bench: Bench): Promise<Line> {
  const { telegram, sql } = bench;
  const id = await connect(bench, "Bench polling", "connection");
  await untilConnected(bench, 1);
  const count = scaled(100, 15);
  for (let number = 1; number <= count; number++) {
    telegram.message(`Message ${number}`);
    await until("the answer had come", async () => telegram.messages.size >= number);
  }
  const rows = await sql<{ ms: number }[]>`
    select extract(epoch from runs.created_at - inbound.received_at)::float * 1000 as ms
    from messenger_inbound inbound join runs on runs.id = inbound.run_id where inbound.messenger_id = ${id} order by inbound.id`;
  // The first ones fill caches.
  const times = rows.slice(5).map(({ ms }) => ms);
  const p50 = median(times);
  const ours = `p50 ${milliseconds(p50)}, p95 ${milliseconds(percentile(times, 0.95))}`;
  return {
    measured: `message stored → its run begins (${times.length} messages)`,
    ours,
    target: "p50 20 ms",
    isMet: p50 <= limits.startMs,
  };
}

/** Messages of groups that do not mention the agent: taken, ordered and ended, without the cost of runs. */
async function manyChats(bench: Bench): Promise<Line[]> {
  const { given, telegram, sql } = bench;
  const id = await connect(bench, "Bench webhook", "webhook");
  await untilConnected(bench, 2);
  const secret = telegram.calls.findLast(({ method }) => method === "setWebhook")?.body.secret_token;
  const each = scaled(100, 10);
  const began = performance.now();
  const send = async (chat: number) => {
    const connection = await Connection.open(given.product.port);
    for (let number = 1; number <= each; number++) {
      const where = { message_id: number, date: 1, chat: { id: -1_000 - chat, type: "supergroup", title: `Group ${chat}` } };
      const body = { update_id: chat * 100_000 + number, message: { ...where, from: { id: 7, first_name: "Ada" }, text: `${number}` } };
      const headers = { "x-telegram-bot-api-secret-token": String(secret) };
      const request = requestBytes(given.product.port, { method: "POST", path: `/messengers/${id}/webhook`, headers, body });
      const { status } = await connection.send(request);
      if (status !== 200) throw new Error(`the callback address answered ${status}`);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: chats }, (_, chat) => send(chat)));
  const stored = (chats * each * 1_000) / (performance.now() - began);
  await until("all messages were taken", async () => {
    const [row] = await sql<{ open: number }[]>`
      select count(*)::int as open from messenger_inbound where messenger_id = ${id} and status in ('pending', 'started')`;
    return row?.open === 0;
  });
  const taken = (chats * each * 1_000) / (performance.now() - began);
  const [row] = await sql<{ rows: number; disorder: number }[]>`
    select count(*)::int as rows, count(*) filter (where done_at < before)::int as disorder from (
      select done_at, lag(done_at) over (partition by chat_id order by id) as before from messenger_inbound where messenger_id = ${id}) as ordered`;
  const whole = `${row?.rows} of ${chats * each} rows, ${row?.disorder} out of order`;
  return [
    {
      measured: `messages of ${chats} chats, stored and acknowledged`,
      ours: rate(stored),
      target: rate(limits.perSecond),
      isMet: stored >= limits.perSecond,
    },
    {
      measured: `the same, taken in order (${whole})`,
      ours: rate(taken),
      target: rate(limits.perSecond),
      isMet: taken >= limits.perSecond,
    },
  ];
}

async function manyAccounts(bench: Bench): Promise<Line> {
  const inspector = await bench.given.product.inspector();
  const before = await inspector.memory();
  for (let number = 1; number <= accounts; number++) await connect(bench, `Bench account ${number}`, "connection");
  await untilConnected(bench, accounts);
  const after = await inspector.memory();
  inspector.close();
  const more = after.heapUsed + after.external - before.heapUsed - before.external;
  return {
    measured: `memory of ${accounts} more accounts that poll, heap and buffers after GC (resident ${megabytes(after.rss - before.rss)})`,
    ours: megabytes(more),
    target: megabytes(limits.accountBytes),
    isMet: more <= limits.accountBytes,
  };
}
