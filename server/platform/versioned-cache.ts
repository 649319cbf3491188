import "server-only";
import { eq } from "drizzle-orm";
import { workspaces } from "@/db/schema";
import { db } from "./database";
import { AppError } from "./errors";
import { processWide } from "./process-wide";

/** The config version of a workspace now. @throws AppError `not_found`. */
export async function configVersionOf(workspaceId: string): Promise<number> {
  const [row] = await db().select({ version: workspaces.configVersion }).from(workspaces).where(eq(workspaces.id, workspaceId));
  if (!row) throw new AppError("not_found", "This workspace does not exist");
  return row.version;
}

/**
 * Keeps what is made from a workspace's configuration until the configuration changes. Whoever has just read the
 * config version (the call path reads it together with the conversation) passes it and pays no query; the answer is
 * never older than that version.
 */
export function versionedCache<T>(
  name: string,
  load: (workspaceId: string) => Promise<T>,
): (workspaceId: string, version?: number) => Promise<T> {
  const entries = () => processWide(`cache.${name}`, () => new Map<string, { version: number; value: Promise<T> }>());
  return async (workspaceId, version) => {
    const wanted = version ?? (await configVersionOf(workspaceId));
    const cached = entries().get(workspaceId);
    if (cached && cached.version >= wanted) return cached.value;
    const entry = { version: wanted, value: load(workspaceId) };
    entries().set(workspaceId, entry);
    entry.value.catch(() => {
      if (entries().get(workspaceId) === entry) entries().delete(workspaceId);
    });
    return entry.value;
  };
}
