import "server-only";
import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Db } from "@/db/client";
import { tools } from "@/db/schema";
import { inBatches } from "@/server/tools/in-batches";
import { hintTraits } from "@/server/tools/pins/hint-effect";

/** Derives the effects of a server's tools anew from their pinned hints, after an admin began or ceased to trust them. */
export async function applyTrust(tx: Db, serverId: string, trustHints: boolean): Promise<void> {
  const { id, annotations } = tools;
  const rows = await tx
    .select({ id, annotations })
    .from(tools)
    .where(and(eq(tools.mcpServerId, serverId), isNotNull(annotations)));
  const alike = Map.groupBy(rows, (row) => JSON.stringify(hintTraits(row.annotations, trustHints)));
  for (const [, same] of alike) {
    const traits = hintTraits(same[0]?.annotations, trustHints);
    for (const batch of inBatches(same.map((row) => row.id))) await tx.update(tools).set(traits).where(inArray(id, batch));
  }
}
