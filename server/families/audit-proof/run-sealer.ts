import "server-only";
import { log } from "@/server/platform/log";
import { repeat } from "@/server/platform/repeat";
import { makeDueCheckpoints } from "./checkpoints";
import { sealAudit } from "./seal-audit";

/** Pause between two sealings; a row waits for its seal for about half of it. */
const pauseMs = 500;
/** Pause between two looks for due checkpoints. */
const checkpointMs = 60_000;

/** Starts sealing in this process. Every process tries; a lock in the database lets one of them seal at a time. */
export async function runSealer(): Promise<() => Promise<void>> {
  let checkpointAt = 0;
  const seal = async () => {
    await sealAudit();
    if (Date.now() >= checkpointAt) {
      await makeDueCheckpoints();
      checkpointAt = Date.now() + checkpointMs;
    }
    return pauseMs;
  };
  return repeat(seal, {
    pauseMs,
    onError: (error) => log().warn({ err: error }, "the audit could not be sealed; the next attempt follows"),
  });
}
