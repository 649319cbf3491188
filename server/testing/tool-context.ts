import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { ToolCallContext } from "@/server/tools/define-tool";

/** Creates an empty folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "handrail-folder-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Given = Partial<ToolCallContext> & Readonly<Record<string, unknown>>;

/** Builds a tool's context with the given capabilities; any other capability throws an error with its name. */
export function toolContext(given: Given = {}): ToolCallContext & Readonly<Record<string, unknown>> {
  const context = { signal: new AbortController().signal, timeoutMs: 30_000, progress: () => {}, ...given };
  return new Proxy(context, {
    get: (target, name) => {
      const known = Reflect.get(target, name);
      if (known !== undefined || typeof name === "symbol" || optional.has(name)) return known;
      throw new Error(`The tool used ${name}, which this test did not give it`);
    },
  });
}

const optional = new Set(["standStill", "mayRepeat", "traceparent", "origin", "ask", "meta", "client"]);
