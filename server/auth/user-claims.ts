import "server-only";
import { createHmac } from "node:crypto";
import { z } from "zod";
import { derivedKey } from "@/server/platform/crypto";

/** What a token and a session cookie say: who, where, and with which password they signed in. Never what they may do. */
export const UserClaims = z.object({ sub: z.uuid(), workspace: z.uuid(), password: z.string() });
export type UserClaims = z.infer<typeof UserClaims>;

/**
 * A mark of the password that a person signed in with. It changes with the password, so that setting a new one ends every
 * session and token at once.
 */
export function markOfPassword(passwordHash: string | null): string {
  return createHmac("sha256", derivedKey("password-marks"))
    .update(passwordHash ?? "none")
    .digest("base64url")
    .slice(0, 16);
}
