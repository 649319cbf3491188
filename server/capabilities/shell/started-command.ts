import "server-only";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Duplex, Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { askToEnd, boxEnded, killBox, readStartTime } from "../sandbox/boxed-processes";
import { type BoxedProgramOptions, boxedProgram, goDescriptor, readyDescriptor, statusDescriptor } from "../sandbox/boxed-program";
import type { HeldFile } from "../sandbox/startup-files";
import { endProcesses, makeProcessFamily } from "./processes";
import { killGraceMs, ownedMark } from "./running-commands";
import { type OpenReport, reportEnvironment } from "./session-report";
import { type ShellWords, shellWords } from "./shell-words";
import { terminalEnvironment, terminalWords } from "./terminal";

const leftoverGraceMs = 500;

/** A command that was started, in the sandbox or outside. */
export type StartedCommand = {
  child: ChildProcess;
  /** The variables with which the command was started. */
  environment: Readonly<Record<string, string>>;
  /** The command runs in the sandbox, without network. */
  hasNoNetwork: boolean;
  /** Returns sentences about the connections of the command that failed so far; none outside of the sandbox. */
  networkTroubles(): readonly string[];
  /** Ends all processes of the command; programs that clean up on SIGTERM get the time to do so. */
  end(): Promise<void>;
  /** Files that run by themselves, which the ended command created without an opening; they have another name now. */
  heldFiles(): readonly HeldFile[];
  /** Returns true when the sandbox failed and the command never ran; call it after the command's end. */
  failedToStart(): Promise<boolean>;
};

/** A command with the folder in which it starts, and its streams. */
export type CommandStart = {
  command: string;
  folder: string;
  input: "ignore" | "pipe" | number;
  output: "pipe" | number;
  errors: "pipe" | number;
  /** The streams are a terminal. */
  hasTerminal?: boolean;
  report?: OpenReport;
};

const shellOf = ({ command }: CommandStart): ShellWords =>
  shellWords(command, { platform: process.platform, environment: process.env, exists: existsSync });

function wordsOf(start: CommandStart): string[] {
  const { program, args } = shellOf(start);
  return [...(start.hasTerminal ? terminalWords() : []), program, ...args];
}

const variablesOf = ({ hasTerminal = false, report }: CommandStart): Record<string, string> => ({
  ...(hasTerminal ? terminalEnvironment : {}),
  ...(report ? reportEnvironment : {}),
});

/** Stands for a descriptor that a command does not get. */
const unused = "ignore";

/** Starts a command as our own user, with only the given variables. */
export function startOutside(start: CommandStart, environment: Record<string, string>): StartedCommand {
  const { folder, input, output, errors, report } = start;
  const mark = ownedMark();
  const [program = "", ...args] = wordsOf(start);
  const child = spawn(program, args, {
    cwd: folder,
    // Next's types require NODE_ENV in every environment. A command gets no NODE_ENV, because npm would leave packages out.
    env: { ...environment, ...variablesOf(start), [mark.name]: mark.value } as unknown as NodeJS.ProcessEnv,
    // Its own session: no terminal, and one process group to signal.
    detached: true,
    windowsVerbatimArguments: shellOf(start).isVerbatim,
    stdio: [input, output, errors, ...(report ? ([unused, unused, unused, unused, report.file.fd] as const) : [])],
  });
  const family = child.pid === undefined ? null : makeProcessFamily(child.pid, `${mark.name}=${mark.value}`);
  return {
    child,
    environment,
    hasNoNetwork: false,
    networkTroubles: () => [],
    end: async () => {
      if (family) await endProcesses(family, { graceMs: hasEnded(child) ? leftoverGraceMs : killGraceMs });
    },
    heldFiles: () => [],
    failedToStart: async () => false,
  };
}

/** Starts a command in the sandbox. */
export async function startBoxed(start: CommandStart, options: BoxedProgramOptions): Promise<StartedCommand> {
  const { folder, input, output, errors, report } = start;
  const mark = ownedMark();
  const program = await boxedProgram(
    wordsOf(start),
    // The next start of the server finds a box by this mark, if we are killed during the box's setup.
    {
      ...options,
      cwd: folder,
      environment: { ...options.environment, ...variablesOf(start) },
      outerEnvironment: { [mark.name]: mark.value },
    },
    { reportsStatus: true },
  );
  try {
    const child = spawn(program.command, program.args, {
      cwd: "/",
      env: program.env as unknown as NodeJS.ProcessEnv,
      detached: true,
      stdio: [input, output, errors, unused, "pipe", "pipe", "pipe", report?.file.fd ?? unused, ...program.descriptors],
    });
    program.started();
    const status = statusOf(child);
    // Node's types know five streams.
    const streams = child.stdio as (Duplex | null)[];
    for (const number of [readyDescriptor, goDescriptor]) streams[number]?.on("error", () => {});
    // The control groups are joined while bubblewrap sets up the box. If joining fails, the program is not started.
    void status.init
      .then((init) => (init ? program.admit(init.pid) : undefined))
      .then(
        () => streams[goDescriptor]?.end("."),
        () => child.kill("SIGKILL"),
      );
    let held: readonly HeldFile[] = [];
    return {
      child,
      environment: program.environment,
      hasNoNetwork: !program.hasNetwork,
      networkTroubles: program.networkTroubles,
      end: once(async () => {
        await endBox(child, await status.init);
        held = await program.setAside();
        program.release();
      }),
      heldFiles: () => held,
      failedToStart: async () => !(await status.hasRun),
    };
  } catch (error) {
    program.started();
    program.release();
    throw error;
  }
}

type Init = { pid: number; startedAt: string | null } | null;

/** Ends a box; resolves when none of its processes runs. */
async function endBox(child: ChildProcess, init: Init): Promise<void> {
  if (!init) {
    // The box does not exist yet, or its setup failed.
    child.kill("SIGKILL");
    return;
  }
  const exited = exitOf(child);
  if (!hasEnded(child) && askToEnd(init.pid) > 0) await Promise.race([exited, wait(killGraceMs, undefined, { ref: false })]);
  if (!hasEnded(child)) killBox(init.pid);
  await exited;
  await boxEnded(init.pid, init.startedAt);
}

/** Returns bubblewrap's reports: the box's first process, and whether the program was started. */
function statusOf(child: ChildProcess): { init: Promise<Init>; hasRun: Promise<boolean> } {
  const init = Promise.withResolvers<Init>();
  const hasRun = Promise.withResolvers<boolean>();
  let text = "";
  const stream = child.stdio[statusDescriptor] as Readable;
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    const pid = Number(/"child-pid": (\d+)/.exec(text)?.[1] ?? 0);
    if (pid > 0) init.resolve({ pid, startedAt: readStartTime(pid) });
  });
  stream.once("close", () => {
    init.resolve(null);
    hasRun.resolve(text.includes('"exit-code"'));
  });
  return { init: init.promise, hasRun: hasRun.promise };
}

/** Memoizes a promise: a server that shuts down and the call itself may both end a command. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

function exitOf(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once("exit", () => resolve());
  if (hasEnded(child)) resolve();
  return promise;
}
