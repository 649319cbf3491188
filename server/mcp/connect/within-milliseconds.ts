import vm from "node:vm";
import { processWide } from "@/server/platform/process-wide";

type Box = { work: () => unknown };

const sandbox = () =>
  processWide("withinMilliseconds", () => ({ context: vm.createContext({ work: () => null }) as Box, script: new vm.Script("work()") }));

/**
 * Runs synchronous work that could go on for ever and stops it after a time. Costs about 0.1 ms, because a watchdog
 * thread is started each time. It is a stopwatch and not a sandbox: the work runs with all our rights.
 * @throws Error with the code ERR_SCRIPT_EXECUTION_TIMEOUT when the time is up.
 */
export function withinMilliseconds<T>(milliseconds: number, work: () => T): T {
  const { context, script } = sandbox();
  let result: { value: T } | undefined;
  const outer = context.work;
  context.work = () => {
    result = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: milliseconds });
  } finally {
    context.work = outer;
  }
  if (!result) throw new Error("The work ended without a result");
  return result.value;
}
