import { spawn } from "node:child_process";
import { constants } from "node:os";
import { endPostgres } from "./end-postgres.mjs";
import { endGroup, interrupted, isStopRequested, onStopRequest } from "./stop-requests.mjs";

/** Longer than the server itself takes in the worst case. */
const stopLimitMs = 75_000;

/**
 * Runs a program of ours until it ends, and leaves nothing of it behind. It gets a process group of its own, so that the
 * terminal's Ctrl-C reaches it once, through us; and a channel, by whose end it notices when we are killed.
 *
 * @param {string} node
 * @param {string[]} args
 * @param {{ root: string, environment: NodeJS.ProcessEnv, stoppedCode?: number }} options `stoppedCode` is the exit code when it
 *   was stopped before it was done
 * @returns {Promise<number>} exit code
 */
export function runChild(node, args, { root, environment, stoppedCode = interrupted }) {
  if (isStopRequested()) return Promise.resolve(stoppedCode);
  const child = spawn(node, args, {
    cwd: root,
    env: environment,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    detached: process.platform !== "win32",
  });
  let postgres = null;
  child.on("message", (message) => {
    if (message?.postgres) postgres = message.postgres;
  });
  const kill = () => endGroup(child.pid, "SIGKILL");
  let patience;
  const forget = onStopRequest((isInsisting) => {
    child.kill("SIGTERM");
    patience = setTimeout(kill, isInsisting ? 5_000 : stopLimitMs);
  });
  return new Promise((resolve) => {
    child.on("error", (error) => {
      console.error(`Handrail cannot start: ${node} cannot be run (${error.message}).`);
      resolve(1);
    });
    child.on("exit", async (code, signal) => {
      clearTimeout(patience);
      forget();
      // Ends its group too, because builders and MCP servers have no reason to live on.
      endGroup(child.pid, "SIGTERM");
      if (signal && postgres) await endPostgres(postgres);
      // Asked to stop before it could listen for that: nothing had begun that would have to be ended.
      const isStopped = isStopRequested() && signal === "SIGTERM";
      if (signal && !isStopped) console.error(`Handrail was ended by ${signal}; what it had started was stopped.`);
      resolve(isStopped ? stoppedCode : (code ?? 128 + (constants.signals[signal] ?? 0)));
    });
  });
}
