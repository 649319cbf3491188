import { type ChildProcess, spawn } from "node:child_process";

export type ChildProgram = {
  child: ChildProcess;
  /** Everything that it has printed. */
  printed: () => string;
  /** Waits until it has printed this. @throws Error with its last words when it ends before, or takes too long. */
  says: (pattern: RegExp) => Promise<RegExpExecArray>;
  stop: () => Promise<void>;
};

const patienceMs = 120_000;

/** Starts a program of Node's. It is stopped with `stop`, and told so politely first. */
export function startProgram(args: string[], { cwd, env = process.env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): ChildProgram {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const endAtOnce = () => child.kill("SIGTERM");
  process.once("exit", endAtOnce);
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => {
      process.removeListener("exit", endAtOnce);
      resolve();
    });
  });
  let output = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      // A program that prints a line for each call must not cost us a growing string.
      if (output.length < 1_000_000) output += chunk;
      for (const listener of listeners) listener();
    });
  }
  const lastWords = () => output.split("\n").slice(-20).join("\n");
  return {
    child,
    printed: () => output,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const settle = (outcome: () => void) => {
          listeners.delete(look);
          clearTimeout(limit);
          outcome();
        };
        const look = () => {
          const found = pattern.exec(output);
          if (found) settle(() => resolve(found));
        };
        const giveUp = (why: string) => () => settle(() => reject(new Error(`${args.join(" ")} ${why}:\n${lastWords()}`)));
        const limit = setTimeout(giveUp("was not ready in time"), patienceMs);
        listeners.add(look);
        void ended.then(giveUp("ended too early"));
        look();
      }),
    async stop() {
      child.kill("SIGTERM");
      const insist = setTimeout(() => child.kill("SIGKILL"), 60_000);
      await ended;
      clearTimeout(insist);
    },
  };
}
