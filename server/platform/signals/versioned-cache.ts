import "server-only";
import { eq } from "drizzle-orm";
import { workspaces } from "@/db/schema";
import { db } from "../database/database";
import { AppError } from "../errors";
import { processWide } from "../process-wide";
import { onSignal } from "./bus";

type Known = {
  version: number;
  /** Time of the last read of the row, in milliseconds since 1970; 0 after a signal. */
  checkedAt: number;
  /** Number of signals so far. A signal during a read may announce a version later than the one read. */
  signals: number;
  /** A transaction of this process is about to commit this version; until a read returns it, every call reads the row. */
  awaited: { version: number; until: number } | null;
};

/** The longest time that a lost signal leaves a value outdated. */
const maxUncheckedMs = 2_000;
/** A version that is not read after this time was rolled back. */
const patienceMs = 5_000;

const registry = () =>
  processWide("configVersions", () => {
    const versions = new Map<string, Known>();
    onSignal("config", ({ workspaceId }) => {
      const held = versions.get(workspaceId);
      if (!held) return;
      held.checkedAt = 0;
      held.signals += 1;
    });
    return versions;
  });

/**
 * Returns the config version of a workspace; from memory when the row was read recently and no signal came since.
 * @throws AppError `not_found`.
 */
export async function loadConfigVersion(workspaceId: string): Promise<number> {
  const held = registry().get(workspaceId) ?? unknown();
  const now = Date.now();
  const isAwaited = held.awaited && held.version < held.awaited.version && now < held.awaited.until;
  if (!isAwaited && now - held.checkedAt < maxUncheckedMs) return held.version;
  const { signals } = held;
  // Stored before the read, so that a signal during the read finds this entry.
  registry().set(workspaceId, held);
  const [row] = await db().select({ version: workspaces.configVersion }).from(workspaces).where(eq(workspaces.id, workspaceId));
  if (!row) {
    registry().delete(workspaceId);
    throw new AppError("not_found", "This workspace does not exist");
  }
  if (row.version >= held.version) held.version = row.version;
  if (held.signals === signals) held.checkedAt = now;
  return row.version;
}

const unknown = (): Known => ({ version: 0, checkedAt: 0, signals: 0, awaited: null });

/** Announces that a transaction of this process is about to commit a version, so that the process sees its own change at once. */
export function awaitConfigVersion(workspaceId: string, version: number): void {
  const held = registry().get(workspaceId) ?? unknown();
  held.awaited = { version, until: Date.now() + patienceMs };
  registry().set(workspaceId, held);
}

/**
 * Caches a value computed from a workspace's configuration until the configuration changes. A caller that has just read
 * the config version passes it; the result is never older than that version.
 * @param epoch counts the changes of what else the value is computed from
 */
export function versionedCache<T>(
  name: string,
  load: (workspaceId: string) => Promise<T>,
  epoch: () => number = () => 0,
): (workspaceId: string, version?: number) => Promise<T> {
  const entries = () => processWide(`cache.${name}`, () => new Map<string, { version: number; epoch: number; value: Promise<T> }>());
  return async (workspaceId, version) => {
    const wanted = version ?? (await loadConfigVersion(workspaceId));
    const cached = entries().get(workspaceId);
    const now = epoch();
    if (cached && cached.version >= wanted && cached.epoch === now) return cached.value;
    const entry = { version: wanted, epoch: now, value: load(workspaceId) };
    entries().set(workspaceId, entry);
    entry.value.catch(() => {
      if (entries().get(workspaceId) === entry) entries().delete(workspaceId);
    });
    return entry.value;
  };
}
