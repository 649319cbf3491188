import "server-only";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { askToEnd } from "@/server/capabilities/sandbox/boxed-processes";
import { furtherStreams } from "@/server/capabilities/sandbox/boxed-program";
import { processWide } from "@/server/platform/process-wide";
import { signalGroup, signalUntilGone } from "./group-signals";
import { forgetGroup, rememberGroup } from "./orphaned-process-groups";

export type ProcessGroupOptions = {
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  /** Open files of Handrail that the program inherits, the first as number 5. */
  descriptors?: readonly number[];
  /** Whether the program runs in a sandbox, whose processes do not receive signals to the group. */
  isBoxed?: boolean;
};

/** A program and all processes that it starts, ended together. */
export type ProcessGroup = {
  child: ChildProcessWithoutNullStreams;
  /** Closes the program's input, then ends the group with SIGTERM and SIGKILL. Resolves when no process is left. */
  stop(): Promise<void>;
};

/** Groups that this process started and that may still have members. */
const groups = () =>
  processWide("mcp.processGroups", () => {
    const ids = new Set<number>();
    // On `process.exit` nothing can be awaited, so the groups are killed at once.
    process.once("exit", () => {
      for (const id of ids) signalGroup(id, "SIGKILL");
    });
    return ids;
  });
const endings = () => processWide("mcp.processGroupEndings", () => new Map<number, Promise<void>>());

/**
 * Starts a program without a shell as the leader of a new process group, because `npx` starts the real server as a child,
 * and a signal to `npx` alone would leave the child running.
 * @throws Error for an impossible command, argument or variable, such as a text with a NUL.
 */
export function startProcessGroup(options: ProcessGroupOptions): ProcessGroup {
  const { command, args, env, cwd, descriptors = [], isBoxed = false } = options;
  const child = spawn(command, args, {
    // Next's types require NODE_ENV in every environment; this environment is complete without it.
    env: env as NodeJS.ProcessEnv,
    cwd,
    detached: true,
    shell: false,
    stdio: ["pipe", "pipe", "pipe", ...furtherStreams(descriptors)],
  }) as ChildProcessWithoutNullStreams;
  const { pid } = child;
  if (pid !== undefined) {
    groups().add(pid);
    const remembered = rememberGroup(pid);
    // When the program exits, the remaining processes of its group are ended.
    child.once("exit", () => void endGroup(pid, isBoxed).then(() => remembered.then(() => forgetGroup(pid))));
  }
  return {
    child,
    stop: async () => {
      child.stdin.end();
      if (pid !== undefined) await endGroup(pid, isBoxed);
      child.stdin.destroy();
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}

function endGroup(id: number, isBoxed: boolean): Promise<void> {
  const running = endings().get(id);
  if (running) return running;
  if (!groups().has(id)) return Promise.resolve();
  const ending = signalUntilGone(id, isBoxed ? askToEnd : undefined).finally(() => {
    endings().delete(id);
    groups().delete(id);
  });
  endings().set(id, ending);
  return ending;
}
