import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { triggerEndpoints } from "@/contracts/automation/triggers";
import { triggerFirings, triggers } from "@/db/schema";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { readRequestBytes } from "@/server/endpoints/read-request-bytes";
import { unseal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { processWide } from "@/server/platform/process-wide";
import { storeFiring } from "./follow-events";
import type { TriggerRow } from "./triggers";

/**
 * Takes a call of another service and stores it before it is answered. A call with a known `Idempotency-Key` or `X-GitHub-Delivery` is the
 * same one again. @throws AppError `not_found`, `unauthenticated`, `too_large`
 */
export async function receiveEvent(request: Request, id: string): Promise<{ firingId: string }> {
  const body = await readRequestBytes(request, triggerEndpoints.receive.maxBodyBytes);
  const [trigger] = await db()
    .select()
    .from(triggers)
    .where(and(eq(triggers.id, id), eq(triggers.kind, "webhook"), eq(triggers.enabled, true)));
  if (!trigger)
    throw new AppError("not_found", "No trigger is called at this address, or it is off. The page Automations has the address.");
  if (!isSigned(request, body, unseal(trigger.secretSealed ?? ""))) throw await refused(trigger);
  const given = request.headers.get("idempotency-key") ?? request.headers.get("x-github-delivery");
  const key = given ? `call:${given}` : `call:${newId()}`;
  const payload = { body: Buffer.from(body).toString("utf8") };
  return db().transaction(async (tx) => {
    const stored = await storeFiring(tx, trigger, { key, payload, depth: 1 });
    if (stored) return { firingId: stored.id };
    const [known] = await tx
      .select({ id: triggerFirings.id })
      .from(triggerFirings)
      .where(and(eq(triggerFirings.triggerId, trigger.id), eq(triggerFirings.key, key.slice(0, 300))));
    if (!known) throw new Error("A stored call is missing");
    return { firingId: known.id };
  });
}

/** The secret itself as a bearer token, or an HMAC-SHA-256 of the body. */
function isSigned(request: Request, body: Uint8Array, secret: string): boolean {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization")?.trim() ?? "") ?? [];
  if (token !== undefined) return isEqual(token, secret);
  const signature = request.headers.get("x-hub-signature-256") ?? "";
  return isEqual(signature, `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
}

function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/** Strangers must not be able to fill the audit: one row a minute for each trigger. */
const noted = () => processWide("triggers.refused", () => new Map<string, number>());

async function refused({ id, workspaceId, name }: TriggerRow): Promise<AppError> {
  const now = Date.now();
  if (now - (noted().get(id) ?? 0) > 60_000) {
    noted().set(id, now);
    await record(db(), { workspaceId, event: "trigger.signature_refused", actor: systemActor, subject: id, data: { trigger: name } });
  }
  return new AppError("unauthenticated", "The call lacks the secret of this trigger. Send: Authorization: Bearer <secret>");
}
