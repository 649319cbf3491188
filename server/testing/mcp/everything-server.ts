import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

const script = path.resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");

/** Starts the real everything server over HTTP, and resolves when it listens. The caller ends the process. */
export async function startEverythingServer(mode: "streamableHttp" | "sse", port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script, mode], { env: { ...process.env, PORT: `${port}` }, stdio: ["ignore", "pipe", "pipe"] });
  await new Promise<void>((resolve, reject) => {
    const listen = (text: Buffer) => /listening|running/i.test(`${text}`) && resolve();
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.once("exit", () => reject(new Error("The everything server did not start")));
  });
  return child;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
