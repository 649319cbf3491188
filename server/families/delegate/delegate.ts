import "server-only";
import { defineCapability } from "@/server/capabilities/define-capability";
import { guardedHttp } from "@/server/capabilities/guarded-http";
import type { HttpCapability } from "@/server/capabilities/http";
import { unseal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { env } from "@/server/platform/env";
import { processWide } from "@/server/platform/process-wide";
import { findDelegate } from "./delegate-row";
import { httpPipeline } from "./http-pipeline";
import type { DelegateCapability } from "./pipeline";

/** Returns the HTTP client for tasks. Tasks go to the public internet; private addresses need the operator's permission. */
const delegateHttp = (): HttpCapability =>
  processWide("delegate.http", () => (env().delegateMayBeAtPrivateAddress ? guardedHttp({ allowPrivateAddresses: true }) : guardedHttp()));

/** The connection to a workspace's pipeline, for one call. */
export const delegate = defineCapability({
  name: "delegate",
  title: "The secure execution pipeline",
  isOfConversation: false,
  create: ({ workspaceId, callId }): DelegateCapability => ({
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
  }),
});
