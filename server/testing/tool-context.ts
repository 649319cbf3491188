import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { Capabilities } from "@/server/capabilities/capabilities";
import type { CallContext } from "@/server/tools/define-tool";

/** An empty folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "handrail-folder-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What a tool is run with: the given capabilities, and for every other one an error that names it. */
export function toolContext(given: Partial<Capabilities & CallContext> = {}): Capabilities & CallContext {
  const untouchable = (name: string) =>
    new Proxy(Object.create(null), {
      get: () => {
        throw new Error(`The tool used ${name}, which this test did not give it`);
      },
    });
  return {
    files: untouchable("files"),
    shell: untouchable("shell"),
    http: untouchable("http"),
    disclosure: untouchable("disclosure"),
    jobs: untouchable("jobs"),
    delegate: untouchable("delegate"),
    signal: new AbortController().signal,
    timeoutMs: 30_000,
    progress: () => {},
    ...given,
  };
}
