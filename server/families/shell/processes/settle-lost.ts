import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import { processes } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { bootId } from "@/server/platform/ids";
import { processWide } from "@/server/platform/process-wide";
import { isReplicaGone } from "@/server/replicas/presence";
import { findLive } from "./live-processes";

/** Marks processes as lost whose server is gone; the sandbox, or the next start of a server, ended them. */
export async function settleLostProcesses(conversationId?: string): Promise<void> {
  const running = await db()
    .select({ id: processes.id, owner: processes.owner })
    .from(processes)
    .where(and(eq(processes.status, "running"), conversationId === undefined ? undefined : eq(processes.conversationId, conversationId)));
  const gone = new Set<string>();
  for (const owner of new Set(running.map(({ owner }) => owner))) if (await isReplicaGone(owner)) gone.add(owner);
  const lost = running.filter(({ id, owner }) => gone.has(owner) || (owner === bootId() && isForgotten(id)));
  if (lost.length === 0) return;
  await db()
    .update(processes)
    .set({ status: "lost", finishedAt: sql`now()` })
    .where(
      and(
        inArray(
          processes.id,
          lost.map(({ id }) => id),
        ),
        eq(processes.status, "running"),
      ),
    );
}

/** Rows are inserted just before their process starts. */
const starting = () => processWide("startingProcesses", () => new Set<string>());
const isForgotten = (id: string): boolean => !findLive(id) && !starting().has(id);

/** Keeps a row from being taken for lost while its process starts. */
export async function whileStarting<T>(id: string, start: () => Promise<T>): Promise<T> {
  starting().add(id);
  try {
    return await start();
  } finally {
    starting().delete(id);
  }
}
