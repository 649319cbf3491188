import "server-only";
import type { AuditEventName } from "@/contracts/audit";
import type { ActorRef, Json, JsonObject } from "@/contracts/common";
import type { Verdict } from "@/contracts/decision";
import type { Db } from "@/db/client";
import { auditEvents } from "@/db/schema";
import { maskSecrets } from "./mask-secrets";

export type AuditEntry = {
  workspaceId: string;
  event: AuditEventName;
  actor: ActorRef;
  subject?: string | null;
  tool?: string | null;
  verdict?: Verdict | null;
  conversationId?: string | null;
  turnId?: string | null;
  callId?: string | null;
  /** Details; secrets are masked here, so callers pass things as they are. */
  data?: JsonObject;
  requestId?: string | null;
};

/**
 * Writes audit rows in the caller's transaction: there is no way to record something that did not commit, or to commit
 * something that was not recorded.
 */
export async function record(tx: Db, ...entries: AuditEntry[]): Promise<void> {
  if (entries.length > 0) await tx.insert(auditEvents).values(entries.map(auditRow));
}

/** The row of an entry, its secrets masked, for those who write many rows in one statement. */
export function auditRow({ actor, data = {}, ...entry }: AuditEntry) {
  return {
    ...entry,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    data: maskSecrets(data as Json) as JsonObject,
  };
}
