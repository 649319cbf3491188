import "server-only";
import { settleAuditBacklog } from "@/server/audit/audit-backlog";
import { ensureAuditOrder } from "@/server/audit/ensure-order";
import { ensureAuditPartitions } from "@/server/audit/ensure-partitions";
import { blobState } from "@/server/capabilities/blobs/blob-state";
import { provideFamilies } from "@/server/families/provide-families";
import { hookRunsAtRest } from "@/server/hooks/record-runs";
import { startDurableWork } from "@/server/jobs/start-durable-work";
import { connectMcpServers } from "@/server/mcp/connect/connections/connect-servers";
import { followDatabaseClock } from "@/server/platform/database/shared-clock";
import { env } from "@/server/platform/env";
import { log, maskLog } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { repeat } from "@/server/platform/repeat";
import { listenForSignals } from "@/server/platform/signals/bus";
import { followPolicyFile } from "@/server/policy/rules/follow-policy-file";
import { holdPresence } from "@/server/replicas/presence";
import { recordStart, recordStop } from "@/server/replicas/replica-record";
import { handOverRuns } from "@/server/runs/active-runs";
import { cancelOrphanedChildren, lookAfterOwnRuns, recoverRuns } from "@/server/runs/recover-runs";
import { wakeRunsOnSignal } from "@/server/runs/wake-runs";
import { maskInText } from "@/server/secrets/mask-secrets";
import { makeTeardown } from "@/server/start/teardown";
import { syncBuiltinTools } from "@/server/tools/sync-tools";
import { waitForActiveTurns } from "@/server/turns/active-turns";
import { jobsAtRest } from "@/server/turns/background/running-jobs";
import { followProgress } from "@/server/turns/read/call-progress";
import { startWatching } from "@/server/turns/read/watch-turns";
import { noticeLostReplicas, recoverTurns } from "@/server/turns/recovery/recover-turns";
import { resumeAnswered, resumeOnSignal } from "@/server/turns/recovery/resume-turn";

/** Pause between two checks for lost replicas. */
const lookAfterMs = 1_000;

/** Pause between two attempts to move the audit backlog into the audit. */
const backlogAfterMs = 2_000;

/** Pause between two searches for turns that a lost signal or a dead replica left behind. */
const recoverAfterMs = 10_000;

export type Booted = { stop(): Promise<void> };

/**
 * Starts the background work, once per process. The first caller is the server that `npm start` runs, or Next when Next
 * runs alone.
 */
export function boot(): Promise<Booted> {
  return processWide("boot", start);
}

async function start(): Promise<Booted> {
  const teardown = makeTeardown((sentence) => log().warn(sentence));
  maskLog(maskInText);
  const families = provideFamilies();
  try {
    teardown.add("Following the database's clock", await followDatabaseClock());
    await ensureAuditPartitions();
    await ensureAuditOrder();
    teardown.add("Following the policy file", await followPolicyFile());
    startWatching();
    followProgress();
    teardown.add("Listening for signals", await listenForSignals());
    // Before any turn runs here: other replicas take over the turns of a replica without presence.
    teardown.add("The presence of this replica", await holdPresence());
    await recordStart();
    teardown.add("The record of this replica", recordStop);
    // Stops after the turns, because turns that end queue durable work.
    const work = await startDurableWork(families.work);
    teardown.add("The engine of durable work", work.stop);
    await syncBuiltinTools();
    // The remembered tools are available at once; the connections open in the background. Stops after the turns, because
    // turns call MCP tools.
    teardown.add("MCP servers", await connectMcpServers());
    void blobState();
    // Families stop after the time limit of the turns that use them. Turns whose work a stop ends get a moment to come to rest.
    for (const { title, start, limitMs, endsWork } of families.boot) {
      const stop = await start();
      teardown.add(title, endsWork ? () => stop().then(waitUntilIdle) : stop, limitMs === undefined ? {} : { limitMs });
    }
    // Running turns get a moment to end; recovery at the next start settles the rest.
    teardown.add("Turns under way", waitUntilIdle, { limitMs: 5_000 });
    // Runs are handed over before turns end, because a run follows its turn.
    teardown.add("Runs under way", handOverRuns, { limitMs: 5_000 });
    teardown.add("Workers", await work.startWorkers());
    const stopResuming = env().role === "web" ? () => {} : resumeOnSignal();
    const stopWaking = env().role === "web" ? () => {} : wakeRunsOnSignal();
    teardown.add("Settling the audit's backlog", lookEvery(backlogAfterMs, settleAuditBacklog));
    teardown.add("Looking after other replicas", lookEvery(lookAfterMs, noticeLostReplicas));
    teardown.add("Looking after own runs", lookEvery(lookAfterMs, lookAfterOwnRuns));
    if (env().role === "web") return { stop: teardown.run };
    teardown.add("Resuming turns", async () => stopResuming());
    teardown.add(
      "Looking after answered turns",
      lookEvery(lookAfterMs, () => resumeAnswered({ afterMs: lookAfterMs })),
    );
    teardown.add("Waking runs", async () => stopWaking());
    await recoverTurns();
    teardown.add("Recovering turns", lookEvery(recoverAfterMs, recoverTurns));
    teardown.add("Recovering runs", lookEvery(lookAfterMs, recoverRuns));
    teardown.add("Cancelling orphaned children", lookEvery(lookAfterMs, cancelOrphanedChildren));
  } catch (error) {
    await teardown.run();
    throw error;
  }
  return { stop: teardown.run };
}

/** Resolves when no turn, background job or hook run is active in this process. */
async function waitUntilIdle(): Promise<void> {
  await Promise.all([waitForActiveTurns(), jobsAtRest()]);
  await hookRunsAtRest();
}

function lookEvery(pauseMs: number, work: () => Promise<void>): () => Promise<void> {
  const workAndPause = async () => {
    await work();
    return pauseMs;
  };
  return repeat(workAndPause, { pauseMs, onError: (error) => log().debug({ err: error }, "looking after other replicas has to wait") });
}
