import "server-only";
import { readFileSync } from "node:fs";
import path from "node:path";
import { readPostmaster } from "./postmaster";

/** Returns the URL of a running embedded Postgres; null when none runs. */
export function embeddedUrl(dataDir: string): string | null {
  const cluster = path.join(dataDir, "postgres");
  if (!readPostmaster(cluster)?.isReady) return null;
  try {
    // The fourth line of postmaster.pid is the port.
    const port = readFileSync(path.join(cluster, "postmaster.pid"), "utf8").split("\n")[3];
    const password = readFileSync(path.join(dataDir, "postgres-password"), "utf8").trim();
    return `postgres://handrail:${password}@127.0.0.1:${port}/handrail`;
  } catch {
    return null;
  }
}
