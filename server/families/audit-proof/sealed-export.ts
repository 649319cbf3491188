import "server-only";
import { makeArchiveReader } from "@/server/audit-log/archive/archive-files";
import type { Authorized } from "@/server/auth/actor";
import { sealText } from "./format/seal";
import { beforeAll, endOfSeal, type RangeRow, readRowsOf, readSeals, type SealRow, toStoredSeal } from "./read-sealed";

/** Returns the line of a seal with its rows; docs/audit.md describes it. */
export function sealedLine(seal: SealRow, rows: readonly RangeRow[], more: { archive?: string } = {}): string {
  const { hash, signature, publicKey, leaves } = seal;
  const proof = { seal: sealText(toStoredSeal(seal)), hash, signature, publicKey, leaves: leaves.toString("base64") };
  const texts = rows.map(({ id, xid, fields, payload }) => ({ id, xid, fields, payload }));
  return `${JSON.stringify({ format: "handrail-audit-1", ...proof, ...more, rows: texts })}\n`;
}

/** Yields the sealed audit of the actor's workspace, a line of JSON a seal. */
export async function* sealedLines({ workspaceId }: Authorized<"audit:read">): AsyncGenerator<string, void, void> {
  let number = 0;
  let place = beforeAll;
  const readArchive = makeArchiveReader();
  for (;;) {
    const seals = await readSeals(workspaceId, number, 20);
    for (const seal of seals) {
      yield sealedLine(seal, await readRowsOf([seal], place, readArchive));
      number = seal.number;
      place = endOfSeal(seal);
    }
    if (seals.length === 0) return;
  }
}
