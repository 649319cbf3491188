import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { conversationEndpoints } from "../contracts/conversations/conversations";
import type { Inspector } from "./inspector";
import { type Line, megabytes } from "./report";
import { scaled } from "./scale";
import { askAboutWrites, suspendTurns } from "./suspended-turns";
import { withProduct } from "./with-product";

const limitBytes = 20 * 1_048_576;
const settleMs = 5_000;
const turnsPerConversation = 100;

/** Cost of ten thousand turns that wait for a person. They should be rows and nothing else. */
export const suspended = (): Promise<Line[]> =>
  withProduct(async (given) => {
    const count = scaled(10_000, 200);
    await askAboutWrites(given);
    const sql = postgres(given.databaseUrl, { max: 1, onnotice: () => {} });
    const inspector = await given.product.inspector();
    try {
      // A server that has worked has a larger heap than a fresh one, whatever it holds on to: it works first.
      const warmUp = await given.conversations(Math.ceil(count / turnsPerConversation / 2));
      await suspendTurns(given, repeated(warmUp, count / 2));
      for (const id of warmUp) await given.agent.call(conversationEndpoints.remove, { params: { id } });
      const conversations = await given.conversations(Math.ceil(count / turnsPerConversation));
      const before = await state(sql, inspector);
      await suspendTurns(given, repeated(conversations, count));
      const after = await state(sql, inspector);

      const difference = (figure: "heapBytes" | "rss" | "timers" | "connections") => after[figure] - before[figure];
      const what = `${count.toLocaleString("en")} suspended turns`;
      return [
        memory(`${what}, heap and buffers after GC, more`, difference("heapBytes"), after.heapBytes),
        memory(`${what}, resident memory, more`, difference("rss"), after.rss),
        none(`${what}, Postgres connections, more`, difference("connections"), after.connections),
        none(`${what}, timers, more`, difference("timers"), after.timers),
      ];
    } finally {
      inspector.close();
      await sql.end();
    }
  });

const repeated = (ids: string[], count: number) => Array.from({ length: Math.round(count) }, (_, place) => ids[place % ids.length] ?? "");

/** As it is once the work has ended and everything that is garbage was collected. */
async function state(sql: postgres.Sql, inspector: Inspector) {
  await pause(settleMs);
  const { heapUsed, external, rss, timers } = await inspector.memory();
  const [activity] = await sql<{ connections: number }[]>`
    select count(*)::int as connections from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  return { heapBytes: heapUsed + external, rss, timers, connections: activity?.connections ?? Number.NaN };
}

const memory = (measured: string, more: number, whole: number): Line => ({
  measured,
  ours: `${megabytes(more)} (of ${megabytes(whole)})`,
  target: "<= 20 MB",
  isMet: more <= limitBytes,
});

/** A few come and go by themselves; one for each turn would be thousands. */
const none = (measured: string, more: number, whole: number): Line => ({
  measured,
  ours: `${more} (of ${whole})`,
  target: "<= 10",
  isMet: more <= 10,
});
