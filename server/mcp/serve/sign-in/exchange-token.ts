import "server-only";
import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { mcpClientSignIns } from "@/db/schema";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { isMcpAddress } from "../refuse-foreign-host";
import { exchangeClientCredentials } from "./client-credentials";
import { endSignIn } from "./end-sign-in";
import { findSignIn, type SignIn } from "./find-sign-in";
import { mcpResource } from "./metadata";
import { OAuthError } from "./oauth-error";
import { accessSeconds, newAccessToken, readCode, readRefreshToken, refreshToken } from "./tokens";

export type TokenAnswer = { access_token: string; token_type: "Bearer"; expires_in: number; refresh_token: string };

/**
 * Answers a request at the token endpoint (OAuth 2.1, 3.2): a code with its PKCE verifier, a refresh token, or a client's id and secret. A code or a
 * refresh token that comes a second time ends the sign-in, because a thief may have it.
 * @throws OAuthError
 */
export async function exchangeToken(
  form: URLSearchParams,
  authorization: string | null,
  requestId: string,
): Promise<TokenAnswer | Omit<TokenAnswer, "refresh_token">> {
  const resource = form.get("resource");
  if (resource !== null && !isMcpAddress(resource)) throw new OAuthError("invalid_target", `resource has to be ${mcpResource()}`);
  switch (form.get("grant_type")) {
    case "authorization_code":
      return exchangeCode(form, requestId);
    case "refresh_token":
      return renew(form, requestId);
    case "client_credentials":
      return exchangeClientCredentials(form, authorization, requestId);
    default:
      throw new OAuthError("unsupported_grant_type", "grant_type has to be authorization_code, refresh_token or client_credentials");
  }
}

async function exchangeCode(form: URLSearchParams, requestId: string): Promise<TokenAnswer> {
  const signIn = await signInOf(readCode(form.get("code") ?? ""), form);
  if (signIn.generation > 0) throw await reused(signIn, "code", requestId);
  if (signIn.isCodeOld) throw invalidGrant("This code has expired. Sign in again.");
  if ((form.get("redirect_uri") ?? signIn.redirectUri) !== signIn.redirectUri)
    throw invalidGrant("redirect_uri differs from that of the request.");
  const challenge = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  if (challenge !== signIn.codeChallenge) throw invalidGrant("code_verifier does not fit to code_challenge.");
  const issued = await issue(signIn);
  if (issued) return issued;
  // Another request has exchanged the code at the same moment, so it came twice.
  throw await reused(signIn, "code", requestId);
}

async function renew(form: URLSearchParams, requestId: string): Promise<TokenAnswer> {
  const token = readRefreshToken(form.get("refresh_token") ?? "");
  const signIn = await signInOf(token?.signInId ?? null, form);
  const isCurrent = token?.generation === signIn.generation;
  if (signIn.isIdle) throw invalidGrant("Nobody used this sign-in for 90 days. Sign in again.");
  if (isCurrent) return (await issue(signIn)) ?? answerOf(signIn.id, signIn.generation + 1);
  // Programs of one client that renew at the same time hold the token of before for up to a minute.
  if (token?.generation === signIn.generation - 1 && !signIn.isSettled) return answerOf(signIn.id, signIn.generation);
  throw await reused(signIn, "refresh token", requestId);
}

/** Ends the sign-in, because a thief may have the code or the token. */
async function reused(signIn: SignIn, what: string, requestId: string): Promise<OAuthError> {
  await endSignIn(signIn, "mcp_client.reuse_refused", requestId);
  return invalidGrant(`This ${what} was used already, so the sign-in has ended. Sign in again.`);
}

/** @throws OAuthError `invalid_grant` for a sign-in that has ended or is another client's */
async function signInOf(id: string | null, form: URLSearchParams): Promise<SignIn> {
  const signIn = id === null ? null : await findSignIn(id);
  if (!signIn || signIn.clientHash !== sha256(form.get("client_id") ?? ""))
    throw invalidGrant("This sign-in does not exist any more. Sign in again.");
  return signIn;
}

/** Issues the tokens of the next generation; null when another request has just done so. */
async function issue({ id, generation }: SignIn): Promise<TokenAnswer | null> {
  const [renewed] = await db()
    .update(mcpClientSignIns)
    .set({ generation: sql`${mcpClientSignIns.generation} + 1`, rotatedAt: sql`now()` })
    .where(and(eq(mcpClientSignIns.id, id), eq(mcpClientSignIns.generation, generation)))
    .returning({ generation: mcpClientSignIns.generation });
  return renewed ? answerOf(id, renewed.generation) : null;
}

async function answerOf(signInId: string, generation: number): Promise<TokenAnswer> {
  return {
    access_token: await newAccessToken(signInId),
    token_type: "Bearer",
    expires_in: accessSeconds,
    refresh_token: refreshToken(signInId, generation),
  };
}

const invalidGrant = (message: string) => new OAuthError("invalid_grant", message);
