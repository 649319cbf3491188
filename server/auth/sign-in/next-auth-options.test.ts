import { eq } from "drizzle-orm";
import type { Account, AuthOptions } from "next-auth";
import { beforeAll, describe, expect, test } from "vitest";
import { auditEvents, memberships, users } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { buildUser, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { nextAuthOptions } from "./next-auth-options";

useTestDatabase();

beforeAll(() => {
  process.env.HANDRAIL_PUBLIC_URL = "https://handrail.example";
  process.env.HANDRAIL_OIDC_ISSUER = "https://id.example/realm/";
  process.env.HANDRAIL_OIDC_CLIENT_ID = "handrail";
  process.env.HANDRAIL_OIDC_CLIENT_SECRET = "secret";
});

const account: Account = { type: "oauth", provider: "oidc", providerAccountId: "42" };

async function callbacks(): Promise<Required<Pick<NonNullable<AuthOptions["callbacks"]>, "signIn" | "jwt">>> {
  const { signIn, jwt } = nextAuthOptions().callbacks ?? {};
  if (!signIn || !jwt) throw new Error("The callbacks are missing");
  return { signIn, jwt };
}

/** Calls the callbacks as next-auth does after the provider's redirect. */
async function comeBack(profile: Record<string, unknown>) {
  const { signIn, jwt } = await callbacks();
  const user = { id: "42" };
  const allowed = await signIn({ user, account, profile });
  return allowed === true ? await jwt({ token: { sub: "42" }, user, account, profile, trigger: "signIn" }) : allowed;
}

async function member() {
  const { workspace } = await buildWorkspace();
  const { id } = await buildUser(workspace.id, "approver");
  const [user] = await db().select().from(users).where(eq(users.id, id));
  if (!user) throw new Error("The user was not found");
  return { user, workspace };
}

describe("the identity provider", () => {
  test("is asked with state, nonce and PKCE, at its own address", () => {
    const provider = nextAuthOptions().providers.find(({ id }) => id === "oidc");
    expect(provider).toMatchObject({
      wellKnown: "https://id.example/realm/.well-known/openid-configuration",
      checks: ["pkce", "state", "nonce"],
    });
  });

  test("lets in a member by the address that it has verified, and the audit says so", async () => {
    const { user, workspace } = await member();
    const token = await comeBack({ sub: "42", email: user.email.toUpperCase(), email_verified: true });
    expect(token).toMatchObject({ sub: user.id, workspace: workspace.id });
    const rows = await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, workspace.id));
    expect(rows).toMatchObject([{ event: "user.signed_in", actorId: user.id, data: { method: "provider" } }]);
  });

  test("lets in nobody whose address it has not verified, and nobody who is no member", async () => {
    const { user } = await member();
    expect(await comeBack({ sub: "42", email: user.email })).toBe("/sign-in?error=email_not_verified");
    expect(await comeBack({ sub: "42", email: user.email, email_verified: false })).toBe("/sign-in?error=email_not_verified");
    expect(await comeBack({ sub: "42", email: user.email, email_verified: "yes" })).toBe("/sign-in?error=email_not_verified");
    expect(await comeBack({ sub: "42", email: "stranger@example.com", email_verified: true })).toBe("/sign-in?error=not_a_member");
    await db().delete(memberships).where(eq(memberships.userId, user.id));
    expect(await comeBack({ sub: "42", email: user.email, email_verified: true })).toBe("/sign-in?error=not_a_member");
  });
});

test("over https the session cookie is one that only https can set", () => {
  const options = nextAuthOptions();
  expect(options.cookies?.sessionToken).toMatchObject({
    name: "__Secure-handrail.session",
    options: { httpOnly: true, sameSite: "lax", secure: true },
  });
});

test("a browser's request to change its session changes nothing", async () => {
  const { jwt } = await callbacks();
  const token = { sub: "1", workspace: "2", password: "3" };
  const session = { sub: "somebody else" };
  // next-auth omits `user` when it only renews a session, contrary to its types.
  const renewed = await Reflect.apply(jwt, null, [{ token, account: null, trigger: "update", session }]);
  expect(renewed).toEqual(token);
});
