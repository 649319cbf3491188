import "server-only";
import { and, eq, isNotNull, or, sql } from "drizzle-orm";
import { mcpServers } from "@/db/schema";
import { seal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";

/** Seals arguments and addresses in rows that are older than the sealed columns, and clears the plain columns. */
export async function sealPlainSettings(): Promise<void> {
  const plain = or(sql`${mcpServers.args} <> '[]'::jsonb`, isNotNull(mcpServers.url));
  const rows = await db().select({ id: mcpServers.id, args: mcpServers.args, url: mcpServers.url }).from(mcpServers).where(plain);
  for (const { id, args, url } of rows) {
    await db()
      .update(mcpServers)
      .set({
        ...(args.length > 0 ? { argsSealed: seal(JSON.stringify(args)) } : {}),
        ...(url === null ? {} : { urlSealed: seal(url) }),
        args: [],
        url: null,
        updatedAt: sql`updated_at`,
      })
      .where(and(eq(mcpServers.id, id), plain));
  }
}
