import type { AuditEvent } from "@/contracts/audit/audit";
import type { ActorRef } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";

/** Says when and by whom the content of an event was erased; null when it stands. */
export function erasureOf({ data: { erased } }: AuditEvent): { at: string; by: Pick<ActorRef, "name"> } | null {
  if (!isJsonObject(erased) || typeof erased.digest !== "string" || typeof erased.at !== "string" || !isJsonObject(erased.by)) return null;
  return { at: erased.at, by: { name: String(erased.by.name) } };
}
