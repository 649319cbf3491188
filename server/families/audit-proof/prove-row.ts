import "server-only";
import { and, asc, eq, sql } from "drizzle-orm";
import type { AuditProof } from "@/contracts/audit/audit-proof";
import { auditSeals } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { erasedDigest } from "./format/check-seals";
import { leafDigest, leafStates, payloadDigest, unpackLeaves } from "./format/leaf";
import { merklePath } from "./format/merkle";
import { sealText } from "./format/seal";
import { findRow, type RangeRow, toStoredSeal } from "./read-sealed";

/**
 * Returns the proof that a row of the actor's workspace is in the sealed audit.
 * @throws AppError `not_found`; `conflict` for a row that waits for its seal or does not fit it
 */
export async function proveRow({ workspaceId }: Authorized<"audit:read">, id: string): Promise<AuditProof> {
  const row = await findRow(workspaceId, id);
  if (!row) throw new AppError("not_found", "There is no audit event with this id.");
  const seal = await sealOf(workspaceId, row);
  if (!seal) throw new AppError("conflict", "This event is not sealed yet. Sealing takes about a second: try again.");
  const leaves = unpackLeaves(seal.leaves);
  const index = leaves.findIndex((leaf) => leaf.id === id);
  const leaf = leaves[index];
  const erased = erasedDigest(row.payload);
  const payload = leaf?.state === leafStates.erased ? erased : leaf ? payloadDigest(row.payload, leaf.salt) : null;
  if (!leaf || !payload || !leafDigest(row.fields, payload).equals(leaf.digest)) {
    throw new AppError("conflict", "This event does not fit its seal: it was changed or inserted. Verify the audit to see what happened.");
  }
  const isErased = leaf.state === leafStates.erased;
  return {
    format: "handrail-proof-1",
    place: seal.firstPlace + index,
    fields: row.fields,
    payload: isErased ? null : row.payload,
    salt: isErased ? null : leaf.salt.toString("hex"),
    payloadDigest: payload.toString("hex"),
    path: merklePath(
      leaves.map(({ digest }) => digest),
      index,
    ),
    seal: sealText(toStoredSeal(seal)),
    hash: seal.hash,
    signature: seal.signature,
    publicKey: seal.publicKey,
  };
}

async function sealOf(workspaceId: string, { xid, id }: RangeRow) {
  const [seal] = await db()
    .select()
    .from(auditSeals)
    .where(and(eq(auditSeals.workspaceId, workspaceId), sql`(${auditSeals.lastXid}, ${auditSeals.lastId}) >= (${xid}::int8, ${id}::uuid)`))
    .orderBy(asc(auditSeals.lastXid), asc(auditSeals.lastId))
    .limit(1);
  return seal ?? null;
}
