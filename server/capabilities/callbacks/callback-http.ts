import "server-only";
import { processWide } from "@/server/platform/process-wide";
import { guardedHttp } from "../network/guarded-http";
import type { HttpCapability } from "../network/http";
import { callbackAllowPrivate } from "./allow-private";

/** Returns the HTTP client for callbacks. Callbacks reach the public internet; private addresses need the operator's permission. */
export const callbackHttp = (): HttpCapability =>
  processWide("callbacks.http", () => (callbackAllowPrivate.value() ? guardedHttp({ allowPrivateAddresses: true }) : guardedHttp()));
