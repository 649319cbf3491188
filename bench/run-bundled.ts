import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { Line } from "./report";

type Options = { folder: string; environment: Record<string, string>; flags?: readonly string[] };

/** Bundles a program as the product's own server is, runs it in a process of its own, and returns the lines that it prints as JSON. */
export async function runBundled(program: string, { folder, environment, flags = [] }: Options): Promise<Line[]> {
  await mkdir(folder, { recursive: true });
  const outfile = path.join(folder, `${path.basename(program, ".ts")}.mjs`);
  await build({
    entryPoints: [path.join(import.meta.dirname, program)],
    outfile,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    packages: "external",
    conditions: ["react-server"],
    tsconfig: path.resolve(import.meta.dirname, "../tsconfig.json"),
    logLevel: "error",
  });
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=react-server", ...flags, outfile], {
    env: { ...process.env, ...environment },
    maxBuffer: 1 << 24,
  });
  return JSON.parse(stdout);
}
