import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { messageOf } from "@/server/platform/errors";

type Step = { name: string; stop: () => Promise<unknown> | unknown; limitMs: number };

/**
 * What has to be ended, in the order in which it was started; ending goes the other way round, and nothing that fails
 * or hangs keeps the rest from being ended.
 *
 * @param complain is told what did not end well
 */
export function makeTeardown(complain: (sentence: string) => void) {
  const steps: Step[] = [];
  return {
    add(name: string, stop: Step["stop"], { limitMs = 10_000 } = {}): void {
      steps.push({ name, stop, limitMs });
    },
    async run(): Promise<void> {
      for (let step = steps.pop(); step; step = steps.pop()) {
        const { name, stop, limitMs } = step;
        const late = pause(limitMs, "late" as const, { ref: false });
        try {
          if ((await Promise.race([Promise.resolve().then(stop), late])) === "late")
            complain(`${name} did not end within ${limitMs / 1_000} s`);
        } catch (error) {
          complain(`${name} did not end well: ${messageOf(error)}`);
        }
      }
    },
  };
}

export type Teardown = ReturnType<typeof makeTeardown>;
