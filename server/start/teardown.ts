import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { toErrorMessage } from "@/server/platform/errors";

type Step = { name: string; stop: () => Promise<unknown> | unknown; limitMs: number };

/**
 * Makes a list of stop steps. `run` stops them in reverse order; a step that fails or hangs does not block the next.
 *
 * @param complain receives a sentence about each step that failed or was late
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
          complain(`${name} did not end well: ${toErrorMessage(error)}`);
        }
      }
    },
  };
}

export type Teardown = ReturnType<typeof makeTeardown>;
