import { expect, vi } from "vitest";
import type { Authorized } from "@/server/auth/actor";
import { oldestWaiting } from "@/server/families/audit-proof/audit-state";
import { readHead } from "@/server/families/audit-proof/read-sealed";
import { sealAudit } from "@/server/families/audit-proof/seal-audit";
import { verifyAudit } from "@/server/families/audit-proof/verify-audit";

/**
 * Seals until no row of the workspace waits. Rows wait for every transaction of the Postgres server, and the test files that
 * run beside this one share the server.
 */
export async function sealAll(workspaceId: string): Promise<void> {
  await vi.waitFor(
    async () => {
      await sealAudit();
      expect(await oldestWaiting(workspaceId, await readHead(workspaceId))).toBeNull();
    },
    { timeout: 15_000, interval: 20 },
  );
}

/** Verifies all of a workspace's audit that is sealed. */
export async function checkedAudit(reader: Authorized<"audit:read">) {
  let last = null;
  for await (const line of verifyAudit(reader, {})) last = line;
  return last;
}

/** Seals the rest of a workspace's audit and verifies all of it. */
export async function verifiedAudit(reader: Authorized<"audit:read">) {
  await sealAll(reader.workspaceId);
  return checkedAudit(reader);
}
