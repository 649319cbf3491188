import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { settled } from "./chaos";
import { checkLoad } from "./check-load";
import { startCluster } from "./cluster";
import { startCountingServer } from "./counting-server";
import { startLoad } from "./load";

const seed = 8_020;
/** Longer than any pause between attempts of ours, so that requests really find nothing there. */
const awayMs = 1_500;
/** Answers that clients get between two restarts. */
const answersBetween = 40;

test("Postgres taken away under load and brought back: clients are asked to come again, and everything goes on by itself", async () => {
  test.setTimeout(300_000);
  const counter = await startCountingServer();
  const cluster = await startCluster({ name: "postgres-restart", roles: ["web", "worker"] });
  try {
    const processes = cluster.replicas.map(({ pid }) => pid());
    const load = await startLoad(cluster, { seed, clients: 20, conversations: 5, counter });
    const { answers } = load.result;
    const answered = async (more: number) => {
      const before = answers[200] ?? 0;
      await expect.poll(() => (answers[200] ?? 0) - before, { timeout: 60_000 }).toBeGreaterThanOrEqual(more);
    };
    await answered(answersBetween);
    await cluster.postgres.stopAtOnce();
    await pause(awayMs);
    await cluster.postgres.startAgain();
    await answered(answersBetween);
    await cluster.postgres.stopAtOnce();
    await cluster.postgres.startAgain();
    await answered(answersBetween);
    const result = await load.stop();
    await settled(cluster, []);
    const { violations, ...figures } = await checkLoad(cluster, result, { counter, kills: [], mayInterruptOthers: true });
    test.info().annotations.push({ type: "figures", description: JSON.stringify({ seed, ...figures, answers }) });
    expect(violations).toEqual([]);
    expect(answers[503], "requests that found no database").toBeGreaterThan(0);
    expect(answers.broken ?? 0, "connections that broke").toBe(0);
    expect(cluster.replicas.map(({ pid }) => pid())).toEqual(processes);
    for (const { url } of cluster.replicas) expect((await fetch(`${url}/api/v1/health/ready`)).status).toBe(200);
  } finally {
    await cluster.stop();
    counter.stop();
  }
});
