import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** Hands over a new folder and removes it afterwards, also when the bench is stopped half-way. */
export async function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "handrail-bench-"));
  const removeAtOnce = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  process.once("exit", removeAtOnce);
  try {
    return await use(folder);
  } finally {
    process.removeListener("exit", removeAtOnce);
    await rm(folder, { recursive: true, force: true });
  }
}
