import path from "node:path";
import type { Line } from "./report";
import { runBundled } from "./run-bundled";
import { withFolder } from "./with-folder";

const folder = path.resolve(import.meta.dirname, "../node_modules/.cache/handrail-bench-sandbox");

/** From starting `true` as a command to its answer, in the sandbox and outside of it, in a process as the product's own. */
export const sandboxedStart = (): Promise<Line[]> =>
  withFolder((data) =>
    runBundled("sandbox/measure-start.ts", { folder, environment: { HANDRAIL_DATA_DIR: data, HANDRAIL_SANDBOX: "auto" } }),
  );
