import "server-only";
import type { AuditEventName } from "@/contracts/audit/audit";
import type { ActorRef, Json, JsonObject } from "@/contracts/common";
import type { Verdict } from "@/contracts/decisions/decision";
import type { Db } from "@/db/client";
import { auditEvents } from "@/db/schema";
import { maskSecrets } from "@/server/secrets/mask-secrets";

export type AuditEntry = {
  workspaceId: string;
  event: AuditEventName;
  actor: ActorRef;
  subject?: string | null;
  tool?: string | null;
  agent?: string | null;
  source?: string | null;
  verdict?: Verdict | null;
  conversationId?: string | null;
  turnId?: string | null;
  callId?: string | null;
  /** Details of the event. `record` masks secrets, so callers pass the values unmasked. */
  data?: JsonObject;
  requestId?: string | null;
};

/** Writes audit rows in the caller's transaction, so that an action and its audit rows commit together or not at all. */
export async function record(tx: Db, ...entries: AuditEntry[]): Promise<void> {
  if (entries.length > 0) await tx.insert(auditEvents).values(entries.map(auditRow));
}

/** Converts an entry to a row, secrets masked, for callers that write many rows in one statement. */
export function auditRow({ actor, data = {}, ...entry }: AuditEntry) {
  return {
    ...entry,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    data: maskSecrets(data as Json) as JsonObject,
  };
}
