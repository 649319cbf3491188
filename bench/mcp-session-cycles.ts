import { spawn } from "node:child_process";
import path from "node:path";
import type { Line } from "./report";
import { scaled } from "./scale";

const cycles = scaled(1_000, 50);

type Seen = { transport: string; cycles: number; leftBefore: Left; leftAfter: Left; msPerCycle: number; grownMiB: number };
type Left = Record<"programs" | "pipesAndSockets" | "listeners" | "serverSockets", number>;

/** Counts the programs, sockets, listeners and memory left by a thousand sessions, opened and closed one after the other. */
export async function mcpSessionCycles(): Promise<Line[]> {
  const lines: Line[] = [];
  for (const transport of ["stdio", "http"]) {
    const { leftBefore, leftAfter, msPerCycle, grownMiB } = await measure(transport);
    const kinds = Object.keys(leftBefore) as (keyof Left)[];
    const left = kinds.reduce((sum, kind) => sum + Math.max(0, leftAfter[kind] - leftBefore[kind]), 0);
    lines.push({
      measured: `${cycles.toLocaleString("en")} MCP sessions over ${transport}: programs, sockets and listeners left (${msPerCycle.toFixed(1)} ms each, ${grownMiB.toFixed(0)} MiB grown)`,
      ours: `${left}`,
      target: "0",
      isMet: left === 0,
    });
  }
  return lines;
}

/** A process of its own, because it counts what belongs to the process. */
async function measure(transport: string): Promise<Seen> {
  const program = path.resolve(import.meta.dirname, "session-cycles-program.ts");
  const args = ["--conditions=react-server", "--import", "tsx", program, transport, String(cycles)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`the cycles over ${transport} ended with ${code}`);
  return JSON.parse(printed.trim().split("\n").at(-1) ?? "");
}
