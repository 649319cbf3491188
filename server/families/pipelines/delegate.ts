import "server-only";
import { defineCapability } from "@/server/capabilities/define-capability";
import { guardedHttp } from "@/server/capabilities/network/guarded-http";
import type { HttpCapability } from "@/server/capabilities/network/http";
import { unseal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { processWide } from "@/server/platform/process-wide";
import { agentPipeline } from "./agent-pipeline";
import { findDelegate } from "./delegate-row";
import { delegateAllowPrivate } from "./environment";
import { httpPipeline } from "./http-pipeline";
import type { DelegateCapability } from "./pipeline";

/** Returns the HTTP client for tasks. Tasks go to the public internet; private addresses need the operator's permission. */
const delegateHttp = (): HttpCapability =>
  processWide("delegate.http", () => (delegateAllowPrivate.value() ? guardedHttp({ allowPrivateAddresses: true }) : guardedHttp()));

/** The connection to a workspace's pipeline, for one call. */
export const delegate = defineCapability({
  name: "delegate",
  title: "The secure execution pipeline",
  isOfConversation: false,
  create: ({ workspaceId, conversationId, callId, actor }): DelegateCapability => ({
    async connect() {
      const row = await findDelegate(db(), workspaceId);
      if (!row?.enabled) return null;
      const timeoutMs = row.timeoutSeconds * 1_000;
      if (row.agentId !== null) {
        return agentPipeline({ workspaceId, parent: { conversationId, callId }, requestedBy: actor, agentId: row.agentId, timeoutMs });
      }
      if (row.url === null) return null;
      return httpPipeline(delegateHttp(), {
        url: row.url.replace(/\/+$/, ""),
        secret: row.secret === null ? null : unseal(row.secret),
        timeoutMs,
        idempotencyKey: callId,
      });
    },
  }),
});
