import "server-only";
import { and, eq, sql } from "drizzle-orm";
import { erasureItems } from "@/db/schema";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { db } from "@/server/platform/database/database";
import { blobColumns } from "./personal-rows";

/** Removes contents that went with rows from the blob store, where no other row names them. */
export async function removeBlobs(erasureId: string): Promise<void> {
  const open = and(eq(erasureItems.erasureId, erasureId), eq(erasureItems.kind, "blob"), eq(erasureItems.isDone, false));
  for (const { name } of await db().select().from(erasureItems).where(open)) {
    if (!(await isNamed(name))) await blobs().remove(name);
    await db()
      .update(erasureItems)
      .set({ isDone: true })
      .where(and(open, eq(erasureItems.name, name)));
  }
}

async function isNamed(sha256: string): Promise<boolean> {
  for (const { table, blob } of blobColumns()) {
    const [row] = await db().execute(sql`select from ${table} where ${blob} = ${sha256} limit 1`);
    if (row) return true;
  }
  return false;
}
