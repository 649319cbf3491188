import { readFileSync } from "node:fs";
import path from "node:path";

const waitMs = 15_000;

/**
 * Ends the Postgres of a server that was killed, if it has not noticed by itself.
 *
 * @param {{ pid: number, cluster: string }} postgres
 */
export async function endPostgres({ pid, cluster }) {
  const deadline = Date.now() + waitMs;
  if (isRunning(pid, cluster)) process.kill(pid, "SIGINT");
  while (isRunning(pid, cluster) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Its own file says whether the process id is still that of this database's server. */
function isRunning(pid, cluster) {
  try {
    process.kill(pid, 0);
    return Number(readFileSync(path.join(cluster, "postmaster.pid"), "utf8").split("\n")[0]) === pid;
  } catch {
    return false;
  }
}
