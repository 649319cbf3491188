import "server-only";
import { createHmac } from "node:crypto";
import { z } from "zod";
import { derivedKey } from "@/server/platform/crypto";

/** Claims of a token and a session cookie: person, workspace, password fingerprint, session. Never permissions. */
export const UserClaims = z.object({ sub: z.uuid(), workspace: z.uuid(), password: z.string(), session: z.uuid() });
export type UserClaims = z.infer<typeof UserClaims>;

/**
 * Derives a fingerprint of the password hash. A new password changes the fingerprint, which ends every session and token
 * at once.
 */
export function passwordFingerprint(passwordHash: string | null): string {
  return createHmac("sha256", derivedKey("password-marks"))
    .update(passwordHash ?? "none")
    .digest("base64url")
    .slice(0, 16);
}
