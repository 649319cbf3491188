import "server-only";
import type { AuthOptions } from "next-auth";
import credentialsProvider from "next-auth/providers/credentials";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { z } from "zod";
import { Email } from "@/contracts/identity/identity";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { isAppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { clientAddress } from "../client-address";
import { findPerson } from "./find-person";
import { sessionCookieName, sessionSecret } from "./session-cookie";
import { endSession } from "./sessions";
import { signInPerson } from "./sign-in-person";
import { signInWithPassword } from "./sign-in-with-password";
import { UserClaims } from "./user-claims";

/** A session ends after a week, or at once on sign-out, removal of the member or a new password. */
const sessionSeconds = 7 * 24 * 60 * 60;

const Credentials = z.object({ email: Email, password: z.string().max(200) });

/** The profile of a person from an OpenID provider. */
const ProviderProfile = z.object({ sub: z.string(), email: z.string().optional(), email_verified: z.boolean().optional() });
type ProviderProfile = z.infer<typeof ProviderProfile>;

/** Makes the options of next-auth. The sign-in page gets an error code, because a link could carry any forged sentence. */
export function nextAuthOptions(): AuthOptions {
  const isSecure = env().publicUrl.startsWith("https:");
  return {
    secret: sessionSecret(),
    session: { strategy: "jwt", maxAge: sessionSeconds },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    useSecureCookies: isSecure,
    cookies: {
      sessionToken: { name: sessionCookieName(), options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure } },
    },
    providers: [password(), ...openIdProvider()],
    callbacks: {
      async signIn({ account, profile }) {
        if (account?.type !== "oauth") return true;
        const found = await personOf(profile);
        return "refusal" in found ? `/sign-in?error=${found.refusal}` : true;
      },
      async jwt({ token, user, account, profile }) {
        if (account?.type === "oauth") {
          const found = await personOf(profile);
          if ("refusal" in found) throw new Error(found.refusal);
          return await signInPerson(found.person, { method: "provider", address: null, requestId: newId() });
        }
        return user ? UserClaims.parse(user) : token;
      },
    },
    events: {
      async signOut({ token }) {
        const claims = UserClaims.safeParse(token);
        if (claims.success) await endSession(claims.data, newId());
      },
    },
    logger: {
      error: (code, metadata) => log().error({ code, err: "error" in metadata ? metadata.error : metadata }, "sign-in failed"),
      warn: (code) => log().warn({ code }, "sign-in warning"),
      debug: () => {},
    },
  };
}

function password() {
  return credentialsProvider({
    credentials: { email: { type: "email" }, password: { type: "password" } },
    async authorize(given, request) {
      const credentials = Credentials.safeParse(given);
      if (!credentials.success) throw new Error("wrong_credentials");
      const address = clientAddress(String(request.headers?.["x-forwarded-for"] ?? ""), env().trustedProxies);
      try {
        const { person, claims } = await signInWithPassword(credentials.data, { method: "console", address, requestId: newId() });
        return { id: person.id, ...claims };
      } catch (error) {
        if (isAppError(error)) {
          const { retryAfterSeconds } = error.details;
          throw new Error(retryAfterSeconds ? `${error.code}:${retryAfterSeconds}` : error.code);
        }
        log().error({ err: error }, "sign-in failed");
        throw new Error("unavailable");
      }
    },
  });
}

function openIdProvider(): OAuthConfig<ProviderProfile>[] {
  const { oidc } = env();
  if (!oidc) return [];
  return [
    {
      id: "oidc",
      name: oidc.name,
      type: "oauth",
      wellKnown: `${oidc.issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`,
      clientId: oidc.clientId,
      clientSecret: oidc.clientSecret,
      authorization: { params: { scope: "openid email profile" } },
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      profile: ({ sub }) => ({ id: sub }),
    },
  ];
}

/** Finds the person of a provider's profile. The e-mail address must be verified, and the person must be a member already. */
async function personOf(profile: unknown) {
  const said = ProviderProfile.safeParse(profile);
  if (!said.success || !said.data.email || said.data.email_verified !== true) return { refusal: "email_not_verified" as const };
  const person = await findPerson(db(), said.data.email);
  return person ? { person } : { refusal: "not_a_member" as const };
}
