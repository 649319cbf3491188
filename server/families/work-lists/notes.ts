import "server-only";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Json } from "@/contracts/common";
import { type noteAreas, conversationNotes as table } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database/database";

type Area = (typeof noteAreas)[number];

/** Notes that the model of one conversation keeps between its turns. */
export type NotesCapability = {
  /** Lists the keys and values of an area, by key. */
  read: (area: Area) => Promise<ReadonlyMap<string, Json>>;
  /**
   * Changes an area. `change` gets the area as it is and returns it as it shall be; changes of one area follow each other.
   * An error that it throws leaves the area unchanged.
   */
  change: (area: Area, change: (values: ReadonlyMap<string, Json>) => ReadonlyMap<string, Json>) => Promise<void>;
  /** Id of the call that works on the notes. */
  callId: string;
};

export const notes = defineCapability({
  name: "notes",
  title: "Notes of the conversation",
  isOfConversation: true,
  create: ({ conversationId, callId }) => ({ ...notesOf(conversationId), callId }),
});

/** Reads and changes the notes of one conversation. */
export function notesOf(conversationId: string): Omit<NotesCapability, "callId"> {
  const inArea = (area: Area) => and(eq(table.conversationId, conversationId), eq(table.area, area));
  const load = async (tx: Pick<ReturnType<typeof db>, "select">, area: Area) => {
    const rows = await tx.select({ key: table.key, value: table.value }).from(table).where(inArea(area)).orderBy(asc(table.key));
    return new Map(rows.map(({ key, value }) => [key, value]));
  };
  return {
    read: (area) => load(db(), area),
    change: async (area, change) => {
      await db().transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`notes:${conversationId}:${area}`}, 0))`);
        const before = await load(tx, area);
        const after = change(before);
        for (const key of before.keys()) if (!after.has(key)) await tx.delete(table).where(and(inArea(area), eq(table.key, key)));
        for (const [key, value] of after) {
          if (before.get(key) === value) continue;
          await tx
            .insert(table)
            .values({ conversationId, area, key, value })
            .onConflictDoUpdate({ target: [table.conversationId, table.area, table.key], set: { value, updatedAt: sql`now()` } });
        }
      });
    },
  };
}
