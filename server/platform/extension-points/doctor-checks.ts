import type { DoctorCheck } from "@/contracts/operations/doctor";
import { toErrorMessage } from "../errors";
import { processWide } from "../process-wide";

/** The result of a check; a way out and a link only where something has to be done. */
export type CheckResult = Pick<DoctorCheck, "name" | "status" | "sentence"> & Partial<Pick<DoctorCheck, "wayOut" | "link">>;

/** One thing that the product needs, and how to check it. */
export type Check = {
  name: string;
  /** The check needs neither the database nor a network. */
  isOffline: boolean;
  /** The longest time of this check, when it needs more than five seconds. */
  limitMs?: number;
  /** Checks for one workspace. An offline check receives an empty id. */
  run: (workspaceId: string) => Promise<CheckResult[]> | CheckResult[];
};

const registry = () => processWide("doctorChecks", () => ({ checks: [] as readonly Check[] }));

/** Sets the checks. Families provide them, because only families know what they need. */
export function provideDoctorChecks(checks: readonly Check[]): void {
  registry().checks = checks;
}

export const doctorChecks = (): readonly Check[] => registry().checks;

/** The longest time of a check that sets none. */
const checkLimitMs = 5_000;

/**
 * Runs checks side by side. A check that throws is a failed result itself; one that does not end in time is a warning, because
 * a busy machine is slow without anything being broken.
 */
export async function runChecks(checks: readonly Check[], workspaceId: string): Promise<DoctorCheck[]> {
  const results = await Promise.all(checks.map((check) => runOne(check, workspaceId)));
  return results.flat().map((result) => ({ wayOut: null, link: null, ...result }));
}

async function runOne({ name, run, limitMs = checkLimitMs }: Check, workspaceId: string): Promise<CheckResult[]> {
  const { promise: late, resolve } = Promise.withResolvers<CheckResult[]>();
  const sentence = `Slow: the check did not end within ${limitMs / 1_000} seconds.`;
  const wayOut = "Check again when the machine is less busy. If it stays slow, read the server's log.";
  const timer = setTimeout(() => resolve([{ name, status: "warning", sentence, wayOut }]), limitMs);
  try {
    return await Promise.race([run(workspaceId), late]);
  } catch (error) {
    return [{ name, status: "failed", sentence: `The check itself failed: ${toErrorMessage(error)}`, wayOut: "Read the server's log." }];
  } finally {
    clearTimeout(timer);
  }
}
