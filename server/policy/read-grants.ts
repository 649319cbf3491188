import "server-only";
import { and, eq, gt, isNull, or } from "drizzle-orm";
import { grants } from "@/db/schema";
import type { GrantContent } from "@/server/guard/grants/compiled-grants";
import type { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";

/** Reads the grants of a workspace that are neither revoked nor expired. */
export async function readGrants(tx: Pick<ReturnType<typeof db>, "select">, workspaceId: string): Promise<GrantContent[]> {
  const { id, scope, scopeId, tool, pinHash, match, contents, maxSeverity, expiresAt, grantedBy } = grants;
  const rows = await tx
    .select({ id, scope, scopeId, tool, pinHash, match, contents, maxSeverity, expiresAt, grantedBy })
    .from(grants)
    .where(and(eq(grants.workspaceId, workspaceId), isNull(grants.revokedAt), or(isNull(expiresAt), gt(expiresAt, sharedNow()))));
  return rows.map((row) => ({ ...row, expiresAt: row.expiresAt?.getTime() ?? null }));
}
