import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

export type RestartablePostgres = {
  url: string;
  /** Ends the server at once, as a power cut would. */
  stopAtOnce: () => Promise<void>;
  /** Brings it back at the same address. */
  startAgain: () => Promise<void>;
  /** Ends it for good and removes its files. */
  remove: () => Promise<void>;
};

const root = path.resolve(import.meta.dirname, "../..");

/** Starts a Postgres of its own that can be taken away and brought back. */
export async function startRestartablePostgres(): Promise<RestartablePostgres> {
  const child = spawn(process.execPath, ["--conditions=react-server", "--import", "tsx", "scripts/throwaway-postgres.ts"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const { url } = await answer<{ url: string }>(child);
  return {
    url,
    stopAtOnce: () => ask(child, "stop"),
    startAgain: () => ask(child, "start"),
    async remove() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

async function ask(child: ChildProcess, what: "stop" | "start"): Promise<void> {
  const answered = answer(child);
  child.send(what);
  await answered;
}

/** The next message of the process. @throws Error when it ends instead. */
function answer<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => {
      child.off("message", onMessage);
      child.off("exit", onExit);
    };
    const onMessage = (message: unknown) => {
      end();
      resolve(message as T);
    };
    const onExit = (code: number | null) => {
      end();
      reject(new Error(`The throwaway Postgres ended with code ${code}`));
    };
    child.once("message", onMessage);
    child.once("exit", onExit);
  });
}
