import "server-only";
import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Db } from "@/db/client";
import { tools } from "@/db/schema";
import { inBatches } from "@/server/tools/in-batches";
import { type HintUse, hintTraits } from "@/server/tools/pins/hint-effect";

/** Derives the traits of a server's tools anew from their pinned hints, after a setting changed what the hints count for. */
export async function applyTraits(tx: Db, server: HintUse & { id: string }): Promise<void> {
  const { id, annotations } = tools;
  const rows = await tx
    .select({ id, annotations })
    .from(tools)
    .where(and(eq(tools.mcpServerId, server.id), isNotNull(annotations)));
  const alike = Map.groupBy(rows, (row) => JSON.stringify(hintTraits(row.annotations, server)));
  for (const [, same] of alike) {
    const traits = hintTraits(same[0]?.annotations, server);
    for (const batch of inBatches(same.map((row) => row.id))) await tx.update(tools).set(traits).where(inArray(id, batch));
  }
}
