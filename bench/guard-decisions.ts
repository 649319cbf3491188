import path from "node:path";
import type { Line } from "./report";
import { runBundled } from "./run-bundled";

const folder = path.resolve(import.meta.dirname, "../node_modules/.cache/handrail-bench-guard");

/**
 * Time of the guard's decisions, as processor time of one thread without HTTP. A process of its own measures them: what
 * runs the bench names every function as it is made, which in code that makes a few for each call is a third of the time.
 */
export const guardDecisions = (): Promise<Line[]> =>
  runBundled("guard/measure-guard.ts", { folder, environment: { BENCH_GUARD_FOLDER: folder }, flags: ["--expose-gc"] });
