/**
 * Opens and closes a session of an MCP server again and again, and prints as JSON what is left behind.
 * Usage: node --conditions=react-server --import tsx bench/session-cycles-program.ts stdio|http [cycles]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startProgram } from "./child-program";
import { stubProgram } from "./mcp-anchors";

const [transport = "stdio", count = "1000"] = process.argv.slice(2);
const cycles = Number(count);
const folder = mkdtempSync(path.join(tmpdir(), "handrail-cycles-"));
Object.assign(process.env, { HANDRAIL_SANDBOX: "off", HANDRAIL_DATA_DIR: folder, HANDRAIL_LOG_LEVEL: "silent" });
const { openSession } = await import("../server/mcp/connect/session/open-session");

const warmUpCycles = 20;
const program = path.resolve(import.meta.dirname, "../server/testing/mcp/full-mcp-server.mjs");
const stub = transport === "http" ? startProgram([stubProgram, "http"]) : null;
const port = stub ? (await stub.says(/listening on (\d+)/))[1] : null;
const settings = {
  id: null,
  alias: "cycles",
  transport: stub ? ("streamable_http" as const) : ("stdio" as const),
  command: stub ? null : process.execPath,
  args: stub ? [] : [program],
  env: {},
  cwd: null,
  network: "none" as const,
  allowedHosts: [],
  url: stub ? `http://127.0.0.1:${port}/mcp` : null,
  headers: {},
  connectTimeoutSeconds: 60,
};

async function cycle(): Promise<void> {
  const opening = await openSession(settings, { signal: new AbortController().signal });
  if (!opening.ok) throw new Error(opening.error);
  const { session } = opening;
  const call = { rawName: session.tools[0]?.name ?? "", inputSchema: {}, args: { [stub ? "text" : "url"]: "hello" } };
  await session.callTool({ ...call, signal: AbortSignal.timeout(10_000), timeoutMs: 10_000, progress: () => {} });
  await session.close();
}

/** Sockets that the stub still holds open, as Linux counts them. */
function socketsOf(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const descriptors = readdirSync(`/proc/${pid}/fd`);
  return descriptors.length;
}

function leftovers() {
  const kinds = process.getActiveResourcesInfo().filter((kind) => /Process|Pipe|Socket/.test(kind));
  const programs = execFileSync("ps", ["-eo", "ppid,args"], { encoding: "utf8" }).split("\n");
  return {
    programs: programs.filter((line) => line.includes(program) && line.trim().startsWith(`${process.pid} `)).length,
    pipesAndSockets: kinds.length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    serverSockets: socketsOf(stub?.child.pid),
  };
}

for (let turn = 0; turn < warmUpCycles; turn += 1) await cycle();
const leftBefore = leftovers();
const memoryBefore = process.memoryUsage().rss;
const startedAt = performance.now();
for (let turn = 0; turn < cycles; turn += 1) await cycle();
const msPerCycle = (performance.now() - startedAt) / cycles;
const leftAfter = leftovers();
const grownMiB = (process.memoryUsage().rss - memoryBefore) / 1_048_576;
await stub?.stop();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`${JSON.stringify({ transport, cycles, leftBefore, leftAfter, msPerCycle, grownMiB })}\n`, () => process.exit());
