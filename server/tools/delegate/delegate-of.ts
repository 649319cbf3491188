import "server-only";
import type { DelegateCapability } from "@/server/capabilities/delegate";
import { guardedHttp } from "@/server/capabilities/guarded-http";
import type { HttpCapability } from "@/server/capabilities/http";
import { unseal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { env } from "@/server/platform/env";
import { processWide } from "@/server/platform/process-wide";
import { findDelegate } from "./delegate-row";
import { httpPipeline } from "./http-pipeline";

/** How tasks leave the house: to the public internet, and to a private address only where the operator says so. */
const delegateHttp = (): HttpCapability =>
  processWide("delegate.http", () => (env().delegateMayBeAtPrivateAddress ? guardedHttp({ allowPrivateAddresses: true }) : guardedHttp()));

/** The way to the pipeline of a workspace, for one call. */
export function delegateOf({ workspaceId, callId }: { workspaceId: string; callId: string }): DelegateCapability {
  return {
    async connect() {
      const row = await findDelegate(db(), workspaceId);
      if (!row?.enabled) return null;
      return httpPipeline(delegateHttp(), {
        url: row.url.replace(/\/+$/, ""),
        secret: row.secret === null ? null : unseal(row.secret),
        timeoutMs: row.timeoutSeconds * 1_000,
        idempotencyKey: callId,
      });
    },
  };
}
