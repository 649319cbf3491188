import "server-only";
import { type SQL, sql } from "drizzle-orm";

export const bossSchema = "pgboss";

/** The table of pg-boss. We count, list, lock and remove its rows; pg-boss does everything else. */
export const workItems = sql`${sql.identifier(bossSchema)}.job`;

/** Condition on items: of this workspace, or of the product itself (no workspace). */
export const visibleTo = (workspaceId: string): SQL =>
  sql`(item.data ->> 'workspaceId' = ${workspaceId} or item.data ->> 'workspaceId' is null)`;

/** Error of the last attempt: the handler's message, or the message of pg-boss about a dead process. */
export const errorOf = sql`coalesce(item.output ->> 'message', item.output -> 'value' ->> 'message')`;
