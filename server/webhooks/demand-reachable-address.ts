import "server-only";
import { isIP } from "node:net";
import { isPublicAddress } from "@/server/capabilities/public-address";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";
import { privateAddressSentence } from "./send-delivery";

/**
 * Refuses an address that says itself that it is private, before anything is sent. What a name leads to is decided on the
 * connection of each try, because it can change.
 * @param path where the address stands in the body
 * @throws AppError `invalid`
 */
export function demandReachableAddress(url: string, path: string): void {
  if (env().webhooksMayGoToPrivateAddresses) return;
  const { hostname, host } = new URL(url);
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const isLocal = name === "localhost" || name.endsWith(".localhost") || (isIP(name) !== 0 && !isPublicAddress(name));
  if (!isLocal) return;
  const sentence = privateAddressSentence(host);
  throw new AppError("invalid", sentence, { errors: [{ path, message: sentence }] });
}
