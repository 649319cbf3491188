import vm from "node:vm";
import { processWide } from "@/server/platform/process-wide";

type Box = { work: () => unknown };

const sandbox = () =>
  processWide("runSyncWithTimeout", () => ({ context: vm.createContext({ work: () => null }) as Box, script: new vm.Script("work()") }));

/**
 * Runs synchronous work and interrupts the work after a time limit. Costs about 0.1 ms, because each run starts a watchdog
 * thread. This is no sandbox: the work has all rights of the process.
 * @throws Error with the code ERR_SCRIPT_EXECUTION_TIMEOUT when the time is up.
 */
export function runSyncWithTimeout<T>(milliseconds: number, work: () => T): T {
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
