import { afterAll, vi } from "vitest";
import { beginAsNewProcess } from "./begin-as-new-process";

// Test files share a process, because loading the server again for each file takes longer than its tests. Each file starts
// with the process's original environment.
beginAsNewProcess();
const environment = { ...process.env };

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
