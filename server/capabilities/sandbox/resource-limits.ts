import "server-only";
import { env } from "@/server/platform/env";
import { systemProgram } from "./bubblewrap";

/**
 * Returns the words in front of a command that limit each process's resources and the number of processes. Memory is
 * RLIMIT_DATA, because Node and Java reserve far more address space than they use. The limits are set inside, so that the
 * kernel counts processes in the sandbox's own user namespace. The kernel exempts root from that count: see
 * `commandGroup`.
 * @param isOutside the words stand in front of bubblewrap, where the count of processes would include our own
 */
export function limitingWords({ hasTimeLimit = true, isOutside = false }: { hasTimeLimit?: boolean; isOutside?: boolean } = {}): string[] {
  const program = systemProgram("prlimit");
  if (!program) return [];
  const { memoryBytes, processes, fileBytes, cpuSeconds } = env().sandbox.limits;
  const time = hasTimeLimit ? [`--cpu=${cpuSeconds}`] : [];
  const count = isOutside ? [] : [`--nproc=${processes}`];
  return [program, `--data=${memoryBytes}`, ...count, `--fsize=${fileBytes}`, ...time, "--core=0", "--"];
}
