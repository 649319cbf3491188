import "server-only";
import { guardedHttp } from "@/server/capabilities/guarded-http";
import type { HttpCapability } from "@/server/capabilities/http";
import { env } from "@/server/platform/env";
import { processWide } from "@/server/platform/process-wide";

/** How webhooks leave the house: to the public internet, and to private addresses only where the operator says so. */
export const webhookHttp = (): HttpCapability =>
  processWide("webhooks.http", () =>
    env().webhooksMayGoToPrivateAddresses ? guardedHttp({ allowPrivateAddresses: true }) : guardedHttp(),
  );
