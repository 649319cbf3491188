import "server-only";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { processWide } from "@/server/platform/process-wide";
import { signalGroup, signalUntilGone } from "./group-signals";
import { forgetGroup, rememberGroup } from "./leftover-groups";

export type ProcessGroupOptions = { command: string; args: readonly string[]; env: Record<string, string>; cwd: string | null };

/** A program and everything it starts, ended together. */
export type ProcessGroup = {
  child: ChildProcessWithoutNullStreams;
  /** Closes its input, asks it to end, makes it end. Returns when nobody of the group is left. */
  stop(): Promise<void>;
};

/** Groups that this process started and that may still have members. */
const groups = () =>
  processWide("mcp.processGroups", () => {
    const ids = new Set<number>();
    // A process that ends without a chance to wait still takes its children along.
    process.once("exit", () => {
      for (const id of ids) signalGroup(id, "SIGKILL");
    });
    return ids;
  });
const endings = () => processWide("mcp.processGroupEndings", () => new Map<number, Promise<void>>());

/**
 * Starts a program without a shell, at the head of a process group of its own: `npx` starts the real server as a
 * child, and a signal to `npx` alone would leave that one behind.
 * @throws Error for a command, argument or variable that no process can have (such as one with a NUL in it).
 */
export function startProcessGroup({ command, args, env, cwd }: ProcessGroupOptions): ProcessGroup {
  const child = spawn(command, args, {
    // Next's types ask for NODE_ENV in every environment; this one is exactly what we say.
    env: env as NodeJS.ProcessEnv,
    cwd: cwd ?? undefined,
    detached: true,
    shell: false,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const { pid } = child;
  if (pid !== undefined) {
    groups().add(pid);
    const remembered = rememberGroup(pid);
    // What the program leaves behind is nobody's any more.
    child.once("exit", () => void endGroup(pid).then(() => remembered.then(() => forgetGroup(pid))));
  }
  return {
    child,
    stop: async () => {
      child.stdin.end();
      if (pid !== undefined) await endGroup(pid);
      child.stdin.destroy();
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}

function endGroup(id: number): Promise<void> {
  const running = endings().get(id);
  if (running) return running;
  if (!groups().has(id)) return Promise.resolve();
  const ending = signalUntilGone(id).finally(() => {
    endings().delete(id);
    groups().delete(id);
  });
  endings().set(id, ending);
  return ending;
}
