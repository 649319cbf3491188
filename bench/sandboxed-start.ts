import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { Line } from "./report";
import { withFolder } from "./with-folder";

const folder = path.resolve(import.meta.dirname, "../node_modules/.cache/handrail-bench-sandbox");

/** From starting `true` as a command to its answer, in the sandbox and outside of it, in a process as the product's own. */
export const sandboxedStart = (): Promise<Line[]> =>
  withFolder(async (data) => {
    await mkdir(folder, { recursive: true });
    const outfile = path.join(folder, "measure-start.mjs");
    await build({
      entryPoints: [path.join(import.meta.dirname, "sandbox/measure-start.ts")],
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
    const options = { env: { ...process.env, HANDRAIL_DATA_DIR: data, HANDRAIL_SANDBOX: "auto" } };
    const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=react-server", outfile], options);
    return JSON.parse(stdout);
  });
