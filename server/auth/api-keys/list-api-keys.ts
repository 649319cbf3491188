import "server-only";
import { and, desc, eq, lt } from "drizzle-orm";
import type { ApiKey } from "@/contracts/identity/identity";
import { apiKeys } from "@/db/schema";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import type { Authorized } from "../actor";
import { presentApiKey } from "./present-api-key";

type Page = { limit: number; cursor?: string | undefined };

/** Lists the API keys of the workspace, newest first, including revoked keys. */
export async function listApiKeys(
  actor: Authorized<"admin">,
  { limit, cursor }: Page,
): Promise<{ items: ApiKey[]; nextCursor: string | null; total: number }> {
  const mine = eq(apiKeys.workspaceId, actor.workspaceId);
  const older = cursor ? lt(apiKeys.id, decodeCursor(cursor, IdCursor)[0]) : undefined;
  const found = await db()
    .select()
    .from(apiKeys)
    .where(and(mine, older))
    .orderBy(desc(apiKeys.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: rows.map(presentApiKey), nextCursor, total: await db().$count(apiKeys, mine) };
}
