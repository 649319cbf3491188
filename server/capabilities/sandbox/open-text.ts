import "server-only";
import { randomUUID } from "node:crypto";
import { openSync, rmSync, writeFileSync } from "node:fs";
import { sandboxPath } from "./sandbox-folder";

/** Returns an open file with this text, whose name is gone already. The caller closes it. */
export function openText(text: string): number {
  const file = sandboxPath(`text-${randomUUID()}`);
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  try {
    return openSync(file, "r");
  } finally {
    rmSync(file);
  }
}
