import { createServer } from "node:net";
import { noOpenings } from "@/server/capabilities/sandbox/openings";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { workspaceShell } from "@/server/capabilities/shell/workspace-shell";
import type { RunnerAnswer, RunnerTask } from "./run-boxed";

/**
 * Stands in for the server, in its own process that may have another user and may be killed. Listens on the given
 * sockets, runs the given commands one after another, and prints their results on standard output.
 */
const task: RunnerTask = JSON.parse(process.argv[2] ?? "{}");

const listen = (where: { path: string } | { port: number; host: string }) =>
  new Promise<number>((resolve, reject) => {
    const server = createServer((socket) => socket.on("error", () => {}).end()).once("error", reject);
    server.listen(where, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });

const port = await listen({ port: 0, host: "127.0.0.1" });
for (const path of task.sockets) await listen({ path });

const kindOf = (file: string) => task.kinds[file] ?? null;
const shell = workspaceShell(task.root, { conversationId: "thief", classify: kindOf, openings: { ...noOpenings, ...task.openings } });
const results: RunnerAnswer["results"] = {};
for (const [name, command] of Object.entries(task.commands)) {
  const text = command.replaceAll("{port}", String(port)).replaceAll("{pid}", String(process.pid));
  const options = { timeoutMs: 20_000, signal: new AbortController().signal, maxBytesPerStream: 20_000 };
  results[name] = await shell.run(text, options).catch((error) => ({ exitCode: -1, stdout: "", stderr: String(error), timedOut: false }));
}
const answer: RunnerAnswer = { status: sandboxStatus(), user: process.getuid?.() ?? -1, results };
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
