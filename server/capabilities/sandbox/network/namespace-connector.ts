import "server-only";
import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { AppError } from "@/server/platform/errors";
import { pathOnly } from "./network-holder";

export type NamespaceConnector = {
  /** Connects to a port of the namespace's loopback address. @throws AppError `unavailable` */
  connect(port: number): Promise<Socket>;
  end(): void;
};

const connectMilliseconds = 5_000;
const idleMilliseconds = 60_000;

/** Connects, and passes the socket to its parent before it reads a byte. Ends with its parent, whose channel then closes. */
const connectorProgram = `
const { connect } = require("node:net");
process.on("disconnect", () => process.exit(0));
process.on("message", ({ id, port }) => {
  const attempt = ([host, ...others]) => {
    const socket = connect({ host, port });
    socket.pause();
    socket.on("error", (error) => {
      if (socket.passed) return;
      if (others.length > 0) attempt(others);
      else process.send({ id, error: error.message });
    });
    socket.once("connect", () => {
      socket.passed = true;
      process.send({ id }, socket);
    });
  };
  attempt(["127.0.0.1", "::1"]);
});
`;

type Answer = { id: number; error?: string };

/**
 * Returns a way into a network namespace. A child makes the connections, because Node cannot switch its thread's network
 * namespace; it starts with the first one, and ends after a minute without any.
 * @param enter words that start a program in the namespace
 */
export function namespaceConnector(enter: readonly string[]): NamespaceConnector {
  const waiting = new Map<number, { resolve: (socket: Socket) => void; reject: (error: Error) => void }>();
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let count = 0;

  const end = () => {
    clearTimeout(idle);
    if (child?.connected) child.disconnect();
    child = null;
  };
  const start = (): ChildProcess => {
    const [command = "", ...words] = enter;
    const started = spawn(command, [...words, process.execPath, "-e", connectorProgram], {
      env: pathOnly(),
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    started.on("message", ({ id, error }: Answer, socket) => {
      const asked = waiting.get(id);
      if (asked && error === undefined && socket instanceof Socket) return asked.resolve(socket);
      if (socket instanceof Socket) socket.destroy();
      asked?.reject(unreachable(error ?? "the connection was lost"));
    });
    const lost = () => {
      if (child === started) child = null;
      for (const { reject } of waiting.values()) reject(unreachable("the way into its network ended"));
    };
    // More than one send may fail before the exit.
    started.on("error", lost);
    started.once("exit", lost);
    // The child must not keep this process alive.
    started.unref();
    started.channel?.unref();
    return started;
  };

  return {
    end,
    connect(port) {
      child ??= start();
      clearTimeout(idle);
      idle = setTimeout(end, idleMilliseconds);
      idle.unref();
      const id = ++count;
      const { promise, resolve, reject } = Promise.withResolvers<Socket>();
      const timer = setTimeout(() => reject(unreachable("no answer in time")), connectMilliseconds);
      waiting.set(id, { resolve, reject });
      child.send({ id, port });
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(id);
      });
    },
  };
}

const unreachable = (reason: string) =>
  new AppError(
    "unavailable",
    `The server in the conversation's sandbox could not be reached: ${reason}. Look at the process that runs it.`,
  );
