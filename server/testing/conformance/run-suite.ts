import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const program = path.resolve(import.meta.dirname, "../../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

type Check = { id: string; status: string; errorMessage?: string; details?: { message?: string } };

/** The outcome of one scenario of the official conformance suite. */
export type Seen = { scenario: string; passed: number; failed: number; warned: number; messages: string[] };

/** Runs the official conformance suite with these arguments, and returns what it wrote to its output folder. */
export async function runConformance(args: readonly string[], output: string): Promise<Seen[]> {
  const child = spawn(process.execPath, [program, ...args, "--output-dir", output], { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  await new Promise((resolve) => child.once("exit", resolve));
  const found = readScenarios(output, "");
  if (found.length === 0) throw new Error(`The conformance suite ran no scenario:\n${printed.slice(-2_000)}`);
  return found.sort((a, b) => (a.scenario < b.scenario ? -1 : 1));
}

/** Scenarios with a slash in their name have folders in folders. */
function readScenarios(folder: string, prefix: string): Seen[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [];
    const inside = path.join(folder, entry.name);
    const name = `${prefix}${entry.name}`;
    if (readdirSync(inside).includes("checks.json")) return [readScenario(path.join(inside, "checks.json"), name)];
    return readScenarios(inside, `${name}/`);
  });
}

function readScenario(file: string, folder: string): Seen {
  const checks: Check[] = JSON.parse(readFileSync(file, "utf8"));
  const faults = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  return {
    scenario: folder.replace(/^server-(?=.*-\d{4}-\d{2}-\d{2}T)/, "").replace(/-\d{4}-\d{2}-\d{2}T.*$/, ""),
    passed: checks.filter(({ status }) => status === "SUCCESS").length,
    failed: faults.filter(({ status }) => status === "FAILURE").length,
    warned: faults.filter(({ status }) => status === "WARNING").length,
    messages: faults.map(({ id, errorMessage, details }) => errorMessage ?? details?.message ?? id),
  };
}

/** Names the scenarios that a revision scores, by the suite's own list. */
export function scoredScenarios(role: "server" | "client", revision: string): string[] {
  const text = readFileSync(path.resolve(program, `../../requirements/${revision}.yaml`), "utf8");
  const list = new RegExp(`^${role}:\\n((?:  - .*\\n)+)`, "m").exec(text)?.[1] ?? "";
  return [...list.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = ""]) => name);
}
