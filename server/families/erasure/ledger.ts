import "server-only";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { erasureKinds } from "@/contracts/audit/erasures";
import { ActorRef, Id } from "@/contracts/common";
import { erasures, workspaces } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { enqueue } from "@/server/platform/queue";
import { erasureQueue } from "./erasure-queue";

const Entry = z.object({ id: Id, workspaceId: Id, kind: z.enum(erasureKinds), personId: Id, requestedBy: ActorRef });
type Entry = z.infer<typeof Entry>;

/** The file that lists the erasures of an installation outside of the database: a backup made before does not know them. */
export const ledgerFile = (): string => path.join(/* turbopackIgnore: true */ env().dataDir, "erasures.ndjson");

/**
 * Notes erasures that are done in the file, and repeats those of the file that the database does not know: a backup from before
 * was restored, and the person is back.
 */
export async function repeatUndoneErasures(): Promise<void> {
  const listed = await readLedger();
  const known = await db().select().from(erasures);
  const inDatabase = new Set(known.map(({ id }) => id));
  const inFile = new Set(listed.map(({ id }) => id));
  const lines = known
    .filter(({ id, status }) => status === "done" && !inFile.has(id))
    .map(({ id, workspaceId, kind, personId, requestedBy }) => `${JSON.stringify({ id, workspaceId, kind, personId, requestedBy })}\n`);
  if (lines.length > 0) {
    await mkdir(env().dataDir, { recursive: true });
    await appendFile(ledgerFile(), lines.join(""), { mode: 0o600 });
  }
  for (const entry of listed.filter(({ id }) => !inDatabase.has(id))) await repeat(entry);
}

async function readLedger(): Promise<Entry[]> {
  const text = await readFile(ledgerFile(), "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    try {
      const parsed = Entry.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
}

async function repeat({ id, workspaceId, ...entry }: Entry): Promise<void> {
  await db().transaction(async (tx) => {
    if ((await tx.$count(workspaces, eq(workspaces.id, workspaceId))) === 0) return;
    const values = { id, workspaceId, ...entry, step: "Repeated after a restore" };
    const added = await tx.insert(erasures).values(values).onConflictDoNothing().returning({ id: erasures.id });
    if (added.length === 0) return;
    await enqueue(tx, erasureQueue, [{ workspaceId, input: { erasureId: id } }]);
    log().warn({ erasureId: id, workspaceId }, "an erasure is repeated, because a backup from before it was restored");
  });
}
