import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { ensureAuditPartitions } from "@/server/audit/ensure-partitions";
import { maskInText } from "@/server/audit/mask-secrets";
import { blobState } from "@/server/capabilities/blob-state";
import { endAbandonedCommands, endRunningCommands } from "@/server/capabilities/running-commands";
import { followPolicyFile } from "@/server/guard/policy-file/follow-policy-file";
import { hookRunsAtRest } from "@/server/hooks/record-runs";
import { startJobs } from "@/server/jobs/start-jobs";
import { connectMcpServers } from "@/server/mcp/connect/connect-servers";
import { listenForSignals } from "@/server/platform/bus";
import { env } from "@/server/platform/env";
import { log, maskLog } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { holdPresence } from "@/server/replicas/presence";
import { recordStart, recordStop } from "@/server/replicas/replica-record";
import { makeTeardown } from "@/server/start/teardown";
import { syncBuiltinTools } from "@/server/tools/sync-tools";
import { jobsAtRest } from "@/server/turns/background/running-jobs";
import { followProgress } from "@/server/turns/call-progress";
import { noticeLostReplicas, recoverTurns } from "@/server/turns/recover-turns";
import { resumeAnswered, resumeOnSignal } from "@/server/turns/resume-turn";
import { startWatching } from "@/server/turns/watch-turns";
import { turnsAtRest } from "@/server/turns/working-turns";

/** How often replicas look whether another one is gone. */
const lookAfterMs = 1_000;

export type Booted = { stop(): Promise<void> };

/**
 * Starts what runs beside the requests, once a process, whoever asks first: the server that `npm start` runs, or Next
 * when it runs alone.
 */
export function boot(): Promise<Booted> {
  return processWide("boot", start);
}

async function start(): Promise<Booted> {
  const teardown = makeTeardown((sentence) => log().warn(sentence));
  maskLog(maskInText);
  try {
    await ensureAuditPartitions();
    teardown.add("Following the policy file", await followPolicyFile());
    startWatching();
    followProgress();
    teardown.add("Listening for signals", await listenForSignals());
    // Before any turn is worked on: other replicas take up the turns of one that is not there.
    teardown.add("The presence of this replica", await holdPresence());
    await recordStart();
    teardown.add("The record of this replica", recordStop);
    await syncBuiltinTools();
    // Their remembered tools are there at once, the connections come by themselves. Ended after the turns that call them.
    teardown.add("MCP servers", await connectMcpServers());
    void blobState();
    const abandoned = await endAbandonedCommands();
    if (abandoned > 0) log().warn({ abandoned }, "shell commands of a server that was killed were still running; they were ended");
    // Ended when the turns that wait for them were given their time, so that no command outlives us.
    teardown.add("Shell commands", () => endRunningCommands().then(atRest), { limitMs: 5_000 });
    // What a turn is doing now may go on for a moment; what does not end by then is settled by the next start's recovery.
    teardown.add("Turns under way", atRest, { limitMs: 5_000 });
    teardown.add("Jobs", await startJobs());
    const stopResuming = env().role === "web" ? () => {} : resumeOnSignal();
    teardown.add("Looking after other replicas", repeat(noticeLostReplicas, lookAfterMs));
    if (env().role === "web") return { stop: teardown.run };
    teardown.add("Resuming turns", async () => stopResuming());
    teardown.add(
      "Looking after answered turns",
      repeat(() => resumeAnswered({ afterMs: lookAfterMs }), lookAfterMs),
    );
    await recoverTurns();
  } catch (error) {
    await teardown.run();
    throw error;
  }
  return { stop: teardown.run };
}

/** Resolves when no turn and no background job is at work here. */
async function atRest(): Promise<void> {
  await Promise.all([turnsAtRest(), jobsAtRest()]);
  await hookRunsAtRest();
}

/** Does something again and again, a pause after each time, until the returned function is called. */
function repeat(work: () => Promise<void>, pauseMs: number): () => Promise<void> {
  const stopped = new AbortController();
  const done = (async () => {
    while (!stopped.signal.aborted) {
      await work().catch((error) => log().debug({ err: error }, "looking after other replicas has to wait"));
      await pause(pauseMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  })();
  return () => {
    stopped.abort();
    return done;
  };
}
