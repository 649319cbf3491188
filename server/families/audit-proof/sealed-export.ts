import "server-only";
import type { Authorized } from "@/server/auth/actor";
import { sealText } from "./format/seal";
import { beforeAll, readRange, readSeals, toStoredSeal } from "./read-sealed";

/** Yields the sealed audit of the actor's workspace, a line of JSON a seal; docs/audit.md describes the lines. */
export async function* sealedLines({ workspaceId }: Authorized<"audit:read">): AsyncGenerator<string, void, void> {
  let number = 0;
  let place = beforeAll;
  for (;;) {
    const seals = await readSeals(workspaceId, number, 20);
    for (const seal of seals) {
      const through = { xid: seal.lastXid, id: seal.lastId };
      const rows = await readRange(workspaceId, place, through);
      const line = {
        format: "handrail-audit-1",
        seal: sealText(toStoredSeal(seal)),
        hash: seal.hash,
        signature: seal.signature,
        publicKey: seal.publicKey,
        leaves: seal.leaves.toString("base64"),
        rows: rows.map(({ id, fields, payload }) => ({ id, fields, payload })),
      };
      yield `${JSON.stringify(line)}\n`;
      number = seal.number;
      place = through;
    }
    if (seals.length === 0) return;
  }
}
