import "server-only";
import { spawn } from "node:child_process";
import { Server } from "node:net";
import { AppError } from "@/server/platform/errors";
import { pathOnly } from "./network-holder";

const listenMilliseconds = 10_000;

/** Listens, passes the socket to its parent and ends. A socket stays in the namespace that created it. */
const listenerProgram = `
const server = require("node:net").createServer();
const [host, port] = process.argv.slice(1);
server.on("error", (error) => { console.error(error.message); process.exit(1); });
server.listen({ host, port: Number(port), ipv6Only: true }, () => process.send("listening", server, () => process.exit(0)));
`;

/**
 * Opens a port on an address of a network namespace; this process accepts its connections. A short-lived child opens the
 * port, because Node cannot switch its thread's network namespace.
 * @param enter words that start a program in the namespace
 * @param port 0: any that is free
 */
export async function listenInNamespace(enter: readonly string[], { host = "127.0.0.1", port = 0 } = {}): Promise<Server> {
  const [command = "", ...words] = enter;
  const child = spawn(command, [...words, process.execPath, "-e", listenerProgram, host, String(port)], {
    env: pathOnly(),
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    timeout: listenMilliseconds,
    killSignal: "SIGKILL",
  });
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors = (errors + chunk).slice(-1_000);
  });
  return new Promise((resolve, reject) => {
    let handed: Server | null = null;
    const settle = (reason: string) =>
      handed ? resolve(handed) : reject(new AppError("unavailable", `A port of this network could not be opened: ${reason}.`));
    child.once("message", (_message, server) => {
      if (server instanceof Server) handed = server;
    });
    child.once("error", (error) => settle(error.message));
    // The helper must have ended first, because a running helper would accept connections too.
    child.once("close", () => settle(errors.trim() || "the helper ended without a socket"));
  });
}
