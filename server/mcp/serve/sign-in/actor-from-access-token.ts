import "server-only";
import type { Actor } from "@/server/auth/actor";
import { rememberActor } from "@/server/auth/actor-cache";
import { actorFromApiKeyId } from "@/server/auth/actor-from-api-key";
import { AppError } from "@/server/platform/errors";
import { findSignIn } from "./find-sign-in";
import { readToken } from "./tokens";

/**
 * Finds the actor of an access token that a client got by OAuth; null for a text that is no such token.
 * @throws AppError `unauthenticated` when the sign-in has ended or the API key was revoked
 */
export async function actorFromAccessToken(token: string, requestId: string): Promise<Actor | null> {
  const subject = await readToken(token);
  if (subject === null) return null;
  if ("keyId" in subject) return actorFromApiKeyId(subject.keyId, requestId);
  const id = subject.signInId;
  const signIn = await rememberActor(`mcp sign-in ${id}`, () => findSignIn(id));
  if (!signIn) throw new AppError("unauthenticated", "This sign-in has ended. Sign in again in the client.");
  return actorFromApiKeyId(signIn.apiKeyId, requestId);
}
