import "server-only";
import { sql } from "drizzle-orm";
import { fromDrizzle, PgBoss } from "pg-boss";
import { expireApproval, expireOverdueApprovals } from "@/server/approvals/expire-approvals";
import { ensureAuditPartitions } from "@/server/audit/ensure-partitions";
import { removeOldRuns } from "@/server/hooks/remove-old-runs";
import { databaseUrl } from "@/server/platform/database";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { type JobData, type JobName, provideQueue, type Queue } from "@/server/platform/queue";
import { runJob } from "@/server/turns/background/run-job";
import { recoverTurns } from "@/server/turns/recover-turns";
import { removeOldDeliveries } from "@/server/webhooks/remove-old-deliveries";
import { deliverNow, startDeliveries } from "@/server/webhooks/start-deliveries";

/** What each job does. A handler that throws is tried again by pg-boss, so each of them may run twice. */
const handlers: { [Name in JobName]: (data: JobData[Name]) => Promise<void> } = {
  run_job: ({ jobId }) => runJob(jobId),
  expire_approval: ({ approvalId }) => expireApproval(approvalId),
  deliver_webhooks: deliverNow,
};

/** Looks after what a lost job or a dead replica would leave behind. */
const sweepSeconds = 10;
const batchSize = 8;

/**
 * Connects to the job queue; only roles with work to do take jobs, every role may send them.
 * @returns a function that stops taking jobs and lets the ones under way end.
 */
export async function startJobs(): Promise<() => Promise<void>> {
  const works = env().role !== "web";
  const boss = new PgBoss({
    connectionString: databaseUrl(),
    schema: "pgboss",
    application_name: "handrail jobs",
    max: 4,
    useListenNotify: works,
    supervise: works,
    schedule: false,
  });
  boss.on("error", (error) => log().warn({ err: error }, "job queue"));
  await boss.start();
  for (const name of Object.keys(handlers)) {
    await boss.createQueue(name, { notify: true, retryLimit: 10, retryDelay: 1, retryBackoff: true });
  }
  provideQueue(queueOf(boss));
  if (!works) return async () => stop(boss);

  await Promise.all([work(boss, "run_job"), work(boss, "expire_approval"), work(boss, "deliver_webhooks")]);
  const stopDeliveries = startDeliveries();
  const sweep = () =>
    Promise.all([recoverTurns(), expireOverdueApprovals(), ensureAuditPartitions(), removeOldDeliveries(), removeOldRuns()]).catch(
      (error) => log().warn({ err: error }, "sweep failed"),
    );
  const timer = setInterval(sweep, sweepSeconds * 1_000);
  return async () => {
    clearInterval(timer);
    await Promise.all([stop(boss), stopDeliveries()]);
  };
}

function queueOf(boss: PgBoss): Queue {
  return {
    async send(tx, name, data, { startAfter } = {}) {
      await boss.send(name, data, { db: fromDrizzle(tx, sql), ...(startAfter ? { startAfter } : {}) });
    },
  };
}

async function work<Name extends JobName>(boss: PgBoss, name: Name): Promise<void> {
  await boss.work<JobData[Name]>(name, { batchSize, pollingIntervalSeconds: 1 }, async (jobs) => {
    await Promise.all(jobs.map(({ data }) => handlers[name](data)));
  });
}

async function stop(boss: PgBoss): Promise<void> {
  provideQueue(null);
  await boss.stop({ graceful: true, timeout: 5_000 });
}
