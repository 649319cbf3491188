import "server-only";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { processWide } from "@/server/platform/process-wide";

export type ProcessGroupOptions = { command: string; args: readonly string[]; env: Record<string, string>; cwd: string | null };

/** A program and everything it starts, ended together. */
export type ProcessGroup = {
  child: ChildProcessWithoutNullStreams;
  /** Closes its input, asks it to end, makes it end. Returns when nobody of the group is left. */
  stop(): Promise<void>;
};

/** How long each step of the ending may take, in milliseconds. */
const afterInputClosed = 300;
const afterTerm = 1_500;
const afterKill = 1_000;
const pollMilliseconds = 20;

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
    // What the program leaves behind is nobody's any more.
    child.once("exit", () => void endGroup(pid));
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

async function signalUntilGone(id: number): Promise<void> {
  if (await isGoneWithin(id, afterInputClosed)) return;
  signalGroup(id, "SIGTERM");
  if (await isGoneWithin(id, afterTerm)) return;
  signalGroup(id, "SIGKILL");
  // Bounded: where nobody reaps orphans (a container without an init), a dead child counts as a member for ever.
  await isGoneWithin(id, afterKill);
}

async function isGoneWithin(id: number, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (signalGroup(id, 0)) {
    if (performance.now() > end) return false;
    await wait(pollMilliseconds);
  }
  return true;
}

/** Whether there was anybody to signal. */
function signalGroup(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-id, signal);
    return true;
  } catch {
    return false;
  }
}
