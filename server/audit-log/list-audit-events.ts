import "server-only";
import type { AuditEvent, AuditFilter } from "@/contracts/audit/audit";
import type { Authorized } from "@/server/auth/actor";
import { readAuditPage } from "./read-audit-page";

/** Time limit of a page, because a person waits for it and the search keeps a database processor busy. */
const pageWithinMs = 3_000;

/** Lists the audit events of the actor's workspace, newest first. */
export async function listAuditEvents(
  actor: Authorized<"audit:read">,
  { limit = 50, ...rest }: AuditFilter & { limit?: number; cursor?: string },
  { withinMs = pageWithinMs } = {},
): Promise<{ items: AuditEvent[]; nextCursor: string | null }> {
  return readAuditPage(actor, { limit, ...rest }, { withinMs });
}
