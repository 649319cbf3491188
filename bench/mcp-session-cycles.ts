/**
 * Opens and closes a session of a stdio MCP server again and again, and reports what is left behind: programs, pipes,
 * sockets, listeners, memory. Fails when anything is.
 * Usage: tsx --conditions=react-server bench/mcp-session-cycles.ts [cycles, default 1000]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const folder = mkdtempSync(path.join(tmpdir(), "handrail-cycles-"));
Object.assign(process.env, { HANDRAIL_SANDBOX: "off", HANDRAIL_DATA_DIR: folder, HANDRAIL_LOG_LEVEL: "silent" });
const { openSession } = await import("../server/mcp/connect/open-session");

const cycles = Number(process.argv[2] ?? 1_000);
const warmUpCycles = 10;
const program = path.resolve(import.meta.dirname, "../server/testing/full-mcp-server.mjs");
const settings = {
  id: null,
  alias: "cycles",
  transport: "stdio" as const,
  command: process.execPath,
  args: [program],
  env: {},
  cwd: null,
  network: "none" as const,
  allowedHosts: [],
  url: null,
  headers: {},
  connectTimeoutSeconds: 60,
};

async function cycle(): Promise<void> {
  const opening = await openSession(settings, { signal: new AbortController().signal });
  if (!opening.ok) throw new Error(opening.error);
  await opening.session.close();
}

function leftovers() {
  const kinds = process.getActiveResourcesInfo().filter((kind) => /Process|Pipe|Socket/.test(kind));
  const programs = execFileSync("ps", ["-eo", "ppid,args"], { encoding: "utf8" }).split("\n");
  return {
    programs: programs.filter((line) => line.includes(program) && line.trim().startsWith(`${process.pid} `)).length,
    pipesAndSockets: kinds.length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  };
}

for (let count = 0; count < warmUpCycles; count += 1) await cycle();
const before = leftovers();
const memoryBefore = process.memoryUsage().rss;
const startedAt = performance.now();
for (let count = 0; count < cycles; count += 1) await cycle();
const milliseconds = (performance.now() - startedAt) / cycles;
const after = leftovers();
const grownMiB = (process.memoryUsage().rss - memoryBefore) / 1_048_576;
rmSync(folder, { recursive: true, force: true });
console.log({ cycles, millisecondsPerCycle: Math.round(milliseconds), before, after, grownMiB: Math.round(grownMiB) });
if (JSON.stringify(before) !== JSON.stringify(after)) {
  console.error("The cycles left something behind.");
  process.exitCode = 1;
}
process.exit();
