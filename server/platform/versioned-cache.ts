import "server-only";
import { eq } from "drizzle-orm";
import { workspaces } from "@/db/schema";
import { onSignal } from "./bus";
import { db } from "./database";
import { AppError } from "./errors";
import { processWide } from "./process-wide";

type Known = {
  version: number;
  /** Milliseconds since 1970 when the row said so; 0 when somebody said that it changed since. */
  checkedAt: number;
  /** Signals so far: one that comes while the row is read may be about a later change than the one that is seen. */
  signals: number;
  /** A change of this process is about to commit this version: until it is seen, the row is read each time. */
  awaited: { version: number; until: number } | null;
};

/** What a lost signal costs at the most. */
const maxUncheckedMs = 2_000;
/** A change that is not seen after this long was rolled back. */
const patienceMs = 5_000;

const known = () =>
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
 * The config version of a workspace, from memory where it was read a moment ago and nobody has said that it changed.
 * @throws AppError `not_found`.
 */
export async function configVersionOf(workspaceId: string): Promise<number> {
  const held = known().get(workspaceId) ?? unknown();
  const now = Date.now();
  const isAwaited = held.awaited && held.version < held.awaited.version && now < held.awaited.until;
  if (!isAwaited && now - held.checkedAt < maxUncheckedMs) return held.version;
  const { signals } = held;
  // Entered before the row is read, so that a signal meanwhile finds it.
  known().set(workspaceId, held);
  const [row] = await db().select({ version: workspaces.configVersion }).from(workspaces).where(eq(workspaces.id, workspaceId));
  if (!row) {
    known().delete(workspaceId);
    throw new AppError("not_found", "This workspace does not exist");
  }
  if (row.version >= held.version) held.version = row.version;
  if (held.signals === signals) held.checkedAt = now;
  return row.version;
}

const unknown = (): Known => ({ version: 0, checkedAt: 0, signals: 0, awaited: null });

/** Announces that a transaction of this process is about to commit a version, so that it reads its own changes at once. */
export function awaitConfigVersion(workspaceId: string, version: number): void {
  const held = known().get(workspaceId) ?? unknown();
  held.awaited = { version, until: Date.now() + patienceMs };
  known().set(workspaceId, held);
}

/**
 * Keeps what is made from a workspace's configuration until the configuration changes. Whoever has just read the
 * config version passes it; the answer is never older than that version.
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
