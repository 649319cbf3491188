import "server-only";
import type { Run } from "@/contracts/runs";
import { restsWithin } from "@/server/turns/wait-for-turn";
import { readRun } from "./load-run";
import { watchRun } from "./run-feed";
import { isEnded } from "./run-row";

/** Waits at most `seconds` until a run ends, or waits for people anew. @returns the run as it stands then */
export async function waitForRun(runId: string, seconds: number, signal: AbortSignal): Promise<Run> {
  let wake = () => {};
  const off = watchRun(runId, ({ isDelta }) => {
    if (!isDelta) wake();
  });
  const deadline = performance.now() + seconds * 1_000;
  const restingPlace = ({ status, turnId }: Run) => (status === "waiting" ? turnId : null);
  try {
    let start: string | null | undefined;
    for (;;) {
      const news = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const run = await readRun(runId);
      const place = restingPlace(run);
      start ??= place;
      if (isEnded(run) || (place !== null && place !== start)) return run;
      if (place === null) start = "";
      if (!(await restsWithin(news, (deadline - performance.now()) / 1_000, signal))) return await readRun(runId);
    }
  } finally {
    off();
  }
}
