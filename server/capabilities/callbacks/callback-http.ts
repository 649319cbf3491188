import "server-only";
import { env } from "@/server/platform/env";
import { processWide } from "@/server/platform/process-wide";
import { guardedHttp } from "../guarded-http";
import type { HttpCapability } from "../http";

/** Returns the HTTP client for callbacks. Callbacks reach the public internet; private addresses need the operator's permission. */
export const callbackHttp = (): HttpCapability =>
  processWide("callbacks.http", () =>
    env().callbacksMayGoToPrivateAddresses ? guardedHttp({ allowPrivateAddresses: true }) : guardedHttp(),
  );
