import { z } from "zod";
import { ActorRef, Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { Permission, Role } from "../permissions";
import { toolEffects } from "../tools/tools";
import { trustClasses } from "../tools/trust";

export const Email = z.email().max(200).toLowerCase();
export const Password = z.string().min(12, "use at least 12 characters").max(200);

/** Ways of signing in: in the console, for a bearer token, or through the OpenID provider. */
export const signInMethods = ["console", "token", "provider"] as const;
export type SignInMethod = (typeof signInMethods)[number];

export const Token = z.object({ token: z.string(), expiresAt: Timestamp }).meta({ id: "Token" });

export const Me = z
  .object({
    actor: ActorRef,
    workspace: z.object({ id: Id, name: z.string() }),
    role: Role.nullable().describe("Null for an API key."),
    scopes: z.array(Permission).describe("Everything that the caller may do, with what is implied."),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof Me>;

export const ApiKey = z
  .object({
    id: Id,
    name: z.string(),
    prefix: z.string().describe("First characters of the key, to recognise it by; the key itself is stored only as a hash."),
    scopes: z.array(Permission),
    agentId: Id.nullable(),
    allowedEffects: z.array(z.enum(toolEffects)).nullable().describe("Effects that calls made with it may have; `null`: all."),
    trustClass: z.enum(trustClasses),
    createdBy: ActorRef,
    createdAt: Timestamp,
    expiresAt: Timestamp.nullable(),
    revokedAt: Timestamp.nullable(),
    lastUsedAt: Timestamp.nullable(),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyDraft = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    scopes: z
      .array(Permission)
      .min(1)
      .describe("What the key may do. Only what you may do yourself, and never both `turns:write` and `approvals:decide`."),
    agentId: Id.optional().describe(
      "Binds the key to an agent; such a key never decides approvals, and keys that it makes are bound to the same agent.",
    ),
    allowedEffects: z
      .array(z.enum(toolEffects))
      .max(3)
      .nullable()
      .optional()
      .describe("Effects that calls made with it may have, whatever rules say; `null`: all; absent: all that yours may have."),
    trustClass: z
      .enum(trustClasses)
      .optional()
      .describe(
        "Where its caller stands, never above you; `gateway` or your own lower class when nothing is said. A tool may ask for a class or a higher one.",
      ),
    expiresAt: Timestamp.optional().describe("Absent: it works until it is revoked."),
  })
  .meta({ examples: [{ name: "Support bot", scopes: ["turns:write", "tools:read"] }] });
export type ApiKeyDraft = z.infer<typeof ApiKeyDraft>;

export const CreatedApiKey = ApiKey.extend({ key: z.string().describe("The key itself. It is shown here and never again.") }).meta({
  id: "CreatedApiKey",
});
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

export const User = z
  .object({ id: Id, email: z.string(), name: z.string(), role: Role, createdAt: Timestamp, lastSignInAt: Timestamp.nullable() })
  .meta({ id: "User" });
export type User = z.infer<typeof User>;

export const UserDraft = z
  .strictObject({
    email: Email.describe("Somebody whom another workspace knows already joins with the name and password that they have."),
    name: z.string().trim().min(1).max(100),
    role: Role,
    password: Password.optional().describe("Absent: the person chooses it by an invitation, see POST /users/{id}/invitation."),
  })
  .meta({ examples: [{ email: "ann@example.com", name: "Ann", role: "approver" }] });
export type UserDraft = z.infer<typeof UserDraft>;

export const UserPatch = z
  .strictObject({
    name: z.string().trim().min(1).max(100).optional(),
    role: Role.optional(),
    password: Password.optional().describe("A new one ends every session and token of the person."),
  })
  .meta({ examples: [{ role: "admin" }] });
export type UserPatch = z.infer<typeof UserPatch>;

export const OwnPassword = z
  .strictObject({ currentPassword: z.string().max(200), newPassword: Password })
  .meta({ examples: [{ currentPassword: "velvet anchor 71 mosaic", newPassword: "copper lantern 19 meadow" }] });
export type OwnPassword = z.infer<typeof OwnPassword>;

export const Invitation = z
  .object({
    url: z.string().describe("The page on which the person chooses a password. Whoever has the link can do so."),
    expiresAt: Timestamp,
  })
  .meta({ id: "Invitation" });
export type Invitation = z.infer<typeof Invitation>;

export const InvitationAnswer = z
  .strictObject({ token: z.string().max(2_000).describe("What follows the # of the link."), password: Password })
  .meta({ examples: [{ token: "what-follows-the-hash", password: "copper lantern 19 meadow" }] });
export type InvitationAnswer = z.infer<typeof InvitationAnswer>;

const params = z.object({ id: Id });

export const identityEndpoints = {
  token: endpoint({
    method: "POST",
    path: "/api/v1/auth/token",
    summary: "Exchange an email address and a password for a token that holds for 24 hours",
    permission: null,
    body: z
      .strictObject({ email: Email, password: z.string().max(200) })
      .meta({ examples: [{ email: "ann@example.com", password: "a long enough password" }] }),
    mayBeTooMany: true,
    response: Token,
  }),
  me: endpoint({
    method: "GET",
    path: "/api/v1/me",
    summary: "Who this token belongs to and what it may do",
    permission: null,
    response: Me,
  }),
  changePassword: endpoint({
    method: "PUT",
    path: "/api/v1/me/password",
    mayBeTooMany: true,
    summary: "Change your own password; ends all of your sessions and tokens",
    permission: null,
    body: OwnPassword,
    response: Empty,
  }),
  listApiKeys: endpoint({
    method: "GET",
    path: "/api/v1/api-keys",
    summary: "API keys of the workspace, newest first",
    permission: "admin",
    query: z.object(pageQuery),
    response: listOf(ApiKey),
  }),
  createApiKey: endpoint({
    method: "POST",
    path: "/api/v1/api-keys",
    summary: "Create an API key; the answer holds the key, once",
    permission: "admin",
    body: ApiKeyDraft,
    response: CreatedApiKey,
    status: 201,
  }),
  revokeApiKey: endpoint({
    method: "DELETE",
    path: "/api/v1/api-keys/{id}",
    summary: "Revoke an API key; it stops working at once",
    permission: "admin",
    params,
    response: ApiKey,
  }),
  listUsers: endpoint({
    method: "GET",
    path: "/api/v1/users",
    summary: "Members of the workspace",
    permission: "admin",
    query: z.object(pageQuery),
    response: listOf(User),
  }),
  createUser: endpoint({
    method: "POST",
    path: "/api/v1/users",
    summary: "Add a member",
    permission: "admin",
    body: UserDraft,
    response: User,
    status: 201,
  }),
  updateUser: endpoint({
    method: "PATCH",
    path: "/api/v1/users/{id}",
    summary: "Change a member's name, role or password",
    permission: "admin",
    params,
    body: UserPatch,
    response: User,
  }),
  invite: endpoint({
    method: "POST",
    path: "/api/v1/users/{id}/invitation",
    summary: "Make a link with which a member chooses a password; it works once, for 7 days",
    permission: "admin",
    params,
    response: Invitation,
    status: 201,
  }),
  acceptInvitation: endpoint({
    method: "POST",
    path: "/api/v1/auth/invitation",
    summary: "Choose a password by an invitation; ends every session and token of the person",
    permission: null,
    body: InvitationAnswer,
    response: z.object({ email: z.string().describe("The address to sign in with.") }),
  }),
  removeUser: endpoint({
    method: "DELETE",
    path: "/api/v1/users/{id}",
    summary: "Remove a member from the workspace",
    permission: "admin",
    params,
    response: Empty,
  }),
};

export const identityContract = defineContract({
  reference: { name: "Identity", description: "Tokens, API keys and members." },
  glossary: {
    actor: "The user, API key, agent or system on whose behalf something is done.",
    "API key": "A secret with which a program calls the API; its scopes are permissions.",
    member: "A user of a workspace, with a role.",
    permission: "The right to one kind of action (`tools:write`); roles and API keys carry permissions.",
    role: "A set of permissions of a member: owner, admin, approver or viewer.",
    scope: "A permission of an API key.",
    "trust class": "The standing of a caller: `operator`, `gateway` or `child_agent`.",
    workspace: "The owner of all tools, policies, members and conversations.",
  },
  endpoints: identityEndpoints,
  actors: ["user", "api_key"],
  permissions: { admin: "Everything, and members and keys too" },
  audit: {
    "workspace.created": "Workspace created",
    "user.created": "User created",
    "user.invited": "User invited",
    "user.updated": "User updated",
    "user.removed": "User removed",
    "user.signed_in": "Signed in",
    "user.sign_in_failed": "Sign-in failed",
    "user.signed_out": "Signed out",
    "api_key.created": "API key created",
    "api_key.revoked": "API key revoked",
  },
  navigation: { label: "Settings", path: "/settings", icon: "IconSettings", key: "s", group: "admin", after: "/doctor" },
});
