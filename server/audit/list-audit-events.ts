import "server-only";
import type { AuditEvent, AuditFilter } from "@/contracts/audit";
import type { Holder } from "@/server/auth/actor";
import { readAuditPage } from "./read-audit-page";

/** Audit events of the actor's workspace, newest first. */
export async function listAuditEvents(
  actor: Holder<"audit:read">,
  { limit = 50, ...rest }: AuditFilter & { limit?: number; cursor?: string },
): Promise<{ items: AuditEvent[]; nextCursor: string | null }> {
  return readAuditPage(actor.workspaceId, { limit, ...rest });
}
