import { setTimeout as pause } from "node:timers/promises";
import { checkLoad, type Kill, type Verdict } from "./check-load";
import type { Cluster } from "./cluster";
import { startCluster } from "./cluster";
import { startCountingServer } from "./counting-server";
import { startLoad } from "./load";
import { type Random, randomFrom } from "./random";
import type { Replica, Role } from "./replica";

export type Chaos = {
  seed: number;
  kills: number;
  roles: readonly Role[];
  clients?: number;
  say?: (line: string) => void;
  /** No further kills once it says so. */
  enough?: () => boolean;
};

const settleMs = 90_000;

/**
 * Kills replicas at random moments of turns that are under way, starts them again, and compares in the end what the API
 * and the audit say with what really happened. The seed repeats what is submitted, who is killed and how long after
 * which request; the machine decides the rest.
 */
export async function runChaos({
  seed,
  kills,
  roles,
  clients = 8,
  say = () => {},
  enough = () => false,
}: Chaos): Promise<Verdict & { answers: Record<string, number> }> {
  const counter = await startCountingServer();
  const cluster = await startCluster({ name: "chaos", roles });
  try {
    const load = await startLoad(cluster, { seed, clients, conversations: Math.max(2, clients / 2), counter });
    const killed: Kill[] = [];
    const random = randomFrom(seed);
    const restarts: Promise<void>[] = [];
    for (let number = 1; number <= kills && !enough(); number++) {
      const victim = await nextVictim(cluster, random);
      await requestTo(cluster, victim);
      const delayMs = random.integer(50);
      await pause(delayMs);
      const kill = await killNow(cluster, victim);
      killed.push(kill);
      say(`${new Date().toISOString()} kill ${number}: ${victim.name} (boot ${kill.bootId}), ${delayMs} ms after a request`);
      restarts.push(victim.start());
    }
    await Promise.all(restarts);
    const result = await load.stop();
    await settled(cluster, killed);
    const verdict = await checkLoad(cluster, result, { counter, kills: killed });
    return { ...verdict, answers: result.answers };
  } finally {
    await cluster.stop();
    counter.stop();
  }
}

/** One of those that are up, such that what is left takes requests and works on turns; of a single process, that one. */
async function nextVictim({ replicas }: Cluster, random: Random): Promise<Replica> {
  for (;;) {
    const ready = replicas.filter(({ isReady }) => isReady());
    const victims = ready.filter((one) => replicas.length === 1 || ready.some((other) => other !== one && other.role === one.role));
    if (victims.length > 0) return random.pick(victims);
    await pause(20);
  }
}

/** Resolves at the next change that a client sends: to the victim, or to anybody when the victim takes no requests. */
async function requestTo({ proxy }: Cluster, { name, role }: Replica): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const off = proxy.onPass((target, method, path) => {
    const concerns = role === "worker" ? path.endsWith("/decision") : target === name && path.endsWith("/turns");
    if (concerns && method === "POST") resolve();
  });
  await Promise.race([promise, pause(2_000)]);
  off();
}

async function killNow({ sql }: Cluster, victim: Replica): Promise<Kill> {
  const pid = victim.pid();
  await victim.kill();
  const at = Date.now();
  const [row] = await sql<{ bootId: string }[]>`
    select boot_id as "bootId" from replicas where pid = ${pid} order by started_at desc limit 1`;
  if (!row) throw new Error(`${victim.name} never wrote down that it started`);
  return { bootId: row.bootId, name: victim.name, at };
}

/** Waits until every turn is over and every killed replica is known to be gone. */
export async function settled({ sql }: Cluster, kills: Kill[]): Promise<void> {
  const deadline = Date.now() + settleMs;
  const boots = kills.map(({ bootId }) => bootId);
  for (;;) {
    const [row] = await sql<{ open: number; unknown: number }[]>`select
      (select count(*)::int from turns where status in ('running', 'suspended')) as open,
      (select count(*)::int from replicas where boot_id = any(${boots}::uuid[]) and ended_at is null) as unknown`;
    if (row?.open === 0 && row.unknown === 0) return;
    // Turns that are still open are reported as violations.
    if (Date.now() > deadline) return;
    await pause(100);
  }
}
