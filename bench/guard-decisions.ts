import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { Line } from "./report";

const folder = path.resolve(import.meta.dirname, "../node_modules/.cache/handrail-bench-guard");

/**
 * Time of the guard's decisions, as processor time of one thread without HTTP. It is bundled as the product's
 * own server is and runs in a process of its own: what runs the bench names every function as it is made, which in code
 * that makes a few for each call is a third of the time.
 */
export async function guardDecisions(): Promise<Line[]> {
  await mkdir(folder, { recursive: true });
  const outfile = path.join(folder, "measure-guard.mjs");
  await build({
    entryPoints: [path.join(import.meta.dirname, "guard/measure-guard.ts")],
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
  const options = { env: { ...process.env, BENCH_GUARD_FOLDER: folder }, maxBuffer: 1 << 24 };
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=react-server", "--expose-gc", outfile], options);
  const lines: Line[] = JSON.parse(stdout);
  return lines;
}
