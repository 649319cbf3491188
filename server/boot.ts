import "server-only";
import { ensureAuditPartitions } from "@/server/audit/ensure-partitions";
import { endAbandonedCommands, endRunningCommands } from "@/server/capabilities/running-commands";
import { startJobs } from "@/server/jobs/start-jobs";
import { connectMcpServers } from "@/server/mcp/connect/connect-servers";
import { listenForSignals } from "@/server/platform/bus";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { makeTeardown } from "@/server/start/teardown";
import { syncBuiltinTools } from "@/server/tools/sync-tools";
import { turnsAtRest } from "@/server/turns/advance-turn";
import { holdLiveness } from "@/server/turns/liveness";
import { recoverTurns } from "@/server/turns/recover-turns";

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
  try {
    await ensureAuditPartitions();
    teardown.add("Listening for signals", await listenForSignals());
    // Before any turn is worked on: other replicas take up the turns of one that does not hold it.
    teardown.add("The liveness lock", await holdLiveness());
    await syncBuiltinTools();
    // Their remembered tools are there at once, the connections come by themselves. Ended after the turns that call them.
    teardown.add("MCP servers", await connectMcpServers());
    const abandoned = await endAbandonedCommands();
    if (abandoned > 0) log().warn({ abandoned }, "shell commands of a server that was killed were still running; they were ended");
    // Ended when the turns that wait for them were given their time, so that no command outlives us.
    teardown.add("Shell commands", () => endRunningCommands().then(turnsAtRest), { limitMs: 5_000 });
    // What a turn is doing now may go on for a moment; what does not end by then is settled by the next start's recovery.
    teardown.add("Turns under way", turnsAtRest, { limitMs: 5_000 });
    teardown.add("Jobs", await startJobs());
    if (env().role !== "web") await recoverTurns();
  } catch (error) {
    await teardown.run();
    throw error;
  }
  return { stop: teardown.run };
}
