import "server-only";
import { AppError } from "@/server/platform/errors";
import { isPrivateAsWritten } from "../public-address";
import { callbackAllowPrivate } from "./allow-private";

/**
 * Refuses a URL whose host is a private address, before anything is sent. A host name is checked on the connection of
 * each attempt instead, because its address can change.
 * @param path position of the URL in the request's body
 * @throws AppError `invalid`
 */
export function assertReachableAddress(url: string, path: string): void {
  if (callbackAllowPrivate.value()) return;
  const { hostname, host } = new URL(url);
  if (!isPrivateAsWritten(hostname)) return;
  const sentence = privateAddressSentence(host);
  throw new AppError("invalid", sentence, { errors: [{ path, message: sentence }] });
}

export const privateAddressSentence = (host: string): string =>
  `${host} is a private or local address. Webhooks go to the public internet only, unless an operator sets ${callbackAllowPrivate.name}=true.`;
