import "server-only";
import { env } from "@/server/platform/env";
import { clientAddress } from "../client-address";
import { signInWithPassword } from "./sign-in-with-password";
import { createUserToken } from "./user-token";

/**
 * Exchanges an e-mail address and a password for a bearer token.
 * @throws AppError `wrong_credentials` or `too_many_requests`
 */
export async function issueToken(
  credentials: { email: string; password: string },
  headers: Headers,
  requestId: string,
): Promise<{ token: string; expiresAt: string }> {
  const address = clientAddress(headers.get("x-forwarded-for"), env().trustedProxies);
  const { claims } = await signInWithPassword(credentials, { method: "token", address, requestId });
  const { token, expiresAt } = await createUserToken(claims);
  return { token, expiresAt: expiresAt.toISOString() };
}
