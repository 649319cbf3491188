import "server-only";
import type { Run } from "@/contracts/runs/runs";
import { restsWithin } from "@/server/turns/read/wait-for-turn";
import { isEnded } from "../run-row";
import { findRun, readRun } from "./load-run";
import { watchRun } from "./run-feed";

/** Waits at most `seconds` until a run ends, or waits for people anew. @returns the run as it stands then */
export async function waitForRun(runId: string, seconds: number, signal: AbortSignal): Promise<Run> {
  let wake = () => {};
  const off = watchRun(runId, ({ isDelta }) => {
    if (!isDelta) wake();
  });
  const deadline = performance.now() + seconds * 1_000;
  // The version tells two questions of one turn apart, even when nobody saw the run work in between.
  const restingPlace = ({ status }: Run, version: number) => (status === "waiting" ? version : null);
  try {
    let start: number | null | undefined;
    for (;;) {
      const news = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const found = await findRun(runId);
      if (!found) return await readRun(runId);
      const { run, version } = found;
      const place = restingPlace(run, version);
      if (start === undefined) start = place;
      if (isEnded(run) || (place !== null && place !== start)) return run;
      if (!(await restsWithin(news, (deadline - performance.now()) / 1_000, signal))) return await readRun(runId);
    }
  } finally {
    off();
  }
}
