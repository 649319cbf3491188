import { setTimeout as pause } from "node:timers/promises";
import { messengerEndpoints } from "@/contracts/messengers/messengers";
import type { Cluster } from "./cluster";

/** Moments in the life of a message: it comes, its run asks the model, its tool works, its answer has arrived and the platform has not said so. */
export const stages = ["receipt", "run", "tool", "answer"] as const;
export type Stage = (typeof stages)[number];

const restMs = 150_000;

/** The name of the replica that has the messenger's connection, its run or its chat; null for none. */
export async function holderOf({ sql, replicas }: Cluster, messengerId: string, stage: Stage): Promise<string | null> {
  const [row] =
    stage === "receipt"
      ? await sql<{ pid: number }[]>`
          select r.pid from replicas r, pg_locks own, pg_locks held
          where own.locktype = 'advisory' and held.locktype = 'advisory' and own.pid = held.pid
            and (own.classid::bigint << 32) | own.objid::bigint = hashtextextended(r.boot_id::text, 0)
            and (held.classid::bigint << 32) | held.objid::bigint = hashtextextended(${`messenger ${messengerId}`}, 0)`
      : stage === "answer"
        ? await sql<{ pid: number }[]>`
            select r.pid from messenger_chats c join replicas r on r.boot_id = c.sending_by where c.messenger_id = ${messengerId}`
        : await sql<{ pid: number }[]>`
            select r.pid from runs join messenger_chats c on c.conversation_id = runs.conversation_id
            join replicas r on r.boot_id = runs.claimed_by where c.messenger_id = ${messengerId}`;
  return replicas.find((replica) => replica.pid() === row?.pid)?.name ?? null;
}

/** Waits until the messenger's connection is open, or its callback address is registered. */
export async function untilConnected({ admin }: Cluster, id: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { state, lastError } = await admin.call(messengerEndpoints.get, { params: { id } });
    if (state === "connected") return;
    if (Date.now() > deadline) throw new Error(`the messenger is ${state}: ${lastError}`);
    await pause(100);
  }
}

/** Waits until so many messages are taken, no run goes on and nothing waits to be sent. */
export async function untilRested({ sql }: Cluster, messages: number): Promise<void> {
  const deadline = Date.now() + restMs;
  for (;;) {
    const [row] = await sql<{ taken: number; open: number; unsent: number }[]>`select
      (select count(*)::int from messenger_inbound where status not in ('pending', 'started')) as taken,
      (select count(*)::int from runs where status in ('queued', 'running', 'waiting')) as open,
      (select count(*)::int from messenger_outbound
        where status in ('pending', 'sending') and content ->> 'kind' <> 'stream') as unsent`;
    if (row && row.taken >= messages && row.open === 0 && row.unsent === 0) return;
    if (Date.now() > deadline) throw new Error(`not at rest: ${JSON.stringify(row)} of ${messages}`);
    await pause(100);
  }
}
