import { z } from "zod";
import { CallContents } from "../calls/call-contents";
import { ActorRef, Empty, Id, JsonObject, listOf, pageQuery, queryFlag, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { ToolName } from "../tools/tools";
import { ArgumentName } from "./rule-conditions";

/** Scopes of a grant, from the narrowest to the widest; of several grants that cover a call the narrowest applies. */
export const grantScopes = ["conversation", "repository", "agent", "user", "workspace"] as const;
export const grantKinds = ["always", "until", "conversation_end"] as const;
/** Severities of findings that a grant may overlook; a critical finding always needs a person. */
export const grantSeverities = ["info", "low", "medium", "high"] as const;
export const grantStates = ["active", "expired", "revoked"] as const;

export type GrantScope = (typeof grantScopes)[number];
export type GrantKind = (typeof grantKinds)[number];
export type GrantSeverity = (typeof grantSeverities)[number];

const severity = z.enum(grantSeverities, {
  error: "maxSeverity must be info, low, medium or high: a call with a critical finding is never approved in advance",
});

export const GrantReach = z.strictObject({
  hosts: z
    .array(z.string().min(1).max(300))
    .max(50)
    .describe("`api.example.com`, `db.example.com:5432`; `*` stands for a host that no word of the call names."),
  machine: z.boolean().describe("Whether the calls may need the machine, as `docker` and `sudo` do."),
});
export type GrantReach = z.infer<typeof GrantReach>;

const GrantPattern = z.strictObject({
  kind: z.literal("pattern"),
  parameter: ArgumentName.nullable().default(null).describe("As in a rule: without one, the tool's primary argument."),
  pattern: z.string().min(1).max(1_000).describe("RE2 syntax. A shell command is covered when every simple command of it matches."),
  reach: GrantReach.optional().describe("What the calls may reach, compared with their effects. Without it, nothing is compared."),
});

export const GrantMatch = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("exact"), arguments: JsonObject.describe("A call is covered with exactly these arguments.") }),
  GrantPattern,
]);
export type GrantMatch = z.infer<typeof GrantMatch>;

/** The match of a stored grant. The SHA-256 of exact arguments identifies them when the stored arguments hold masked secrets. */
export type KeptMatch = GrantMatch | (Extract<GrantMatch, { kind: "exact" }> & { digest: string });

const timeFields = {
  kind: z
    .enum(grantKinds, { error: "kind must be always, until or conversation_end" })
    .optional()
    .describe("Without one: `until` with expiresAt, `conversation_end` for a conversation, `always` otherwise."),
  expiresAt: Timestamp.nullable().optional().describe("For the kind `until`."),
};

/** The saved match, not validated again: a parameter that is no argument name any more is still shown. */
const StoredMatch = z.discriminatedUnion("kind", [
  GrantMatch.options[0],
  GrantPattern.extend({ parameter: z.string().nullable().default(null) }),
]);

export const GrantDraft = z
  .strictObject({
    scope: z.enum(grantScopes, { error: "scope must be conversation, repository, agent, user or workspace" }),
    scopeId: z
      .string()
      .max(500)
      .optional()
      .describe(
        "Id of the conversation, agent or user (or API key), or the address of the repository. Not needed for the workspace, and for yourself as the user.",
      ),
    tool: ToolName,
    match: GrantMatch,
    maxSeverity: severity.default("low"),
    ...timeFields,
    note: z.string().trim().max(500).default(""),
  })
  .meta({
    examples: [
      {
        scope: "workspace",
        tool: "shell_execute",
        match: { kind: "pattern", pattern: "^git (status|log|diff)\\b" },
        maxSeverity: "low",
        note: "Looking at the repository",
      },
    ],
  });
export type GrantDraft = z.infer<typeof GrantDraft>;

/** A grant created together with an approval ("Always allow this"): the tool and the severity ceiling come from the call. */
export const Remember = z
  .strictObject({
    scope: GrantDraft.shape.scope,
    match: z
      .union([z.enum(["exact"]), z.strictObject({ kind: z.literal("exact") }), GrantPattern.partial({ kind: true })])
      .default("exact")
      .describe("`exact`: the arguments of this call; or a pattern, which must cover this call."),
    ...timeFields,
    note: z.string().trim().max(500).default(""),
  })
  .meta({ id: "Remember" });
export type Remember = z.infer<typeof Remember>;

export const Grant = z
  .object({
    id: Id,
    scope: z.enum(grantScopes),
    scopeId: z.string().nullable(),
    scopeName: z
      .string()
      .nullable()
      .describe("Name of the agent, the person or the key, or the address of the repository; null where there is none, or none any more."),
    tool: z.string(),
    match: StoredMatch.describe("Exact values that look like secrets are masked."),
    maxSeverity: severity,
    kind: z.enum(grantKinds),
    expiresAt: Timestamp.nullable(),
    state: z.enum(grantStates),
    note: z.string(),
    contents: CallContents.nullable().describe(
      "The files for whose contents it holds, as they were when it was made; null when it holds whatever the files say.",
    ),
    approvalId: Id.nullable().describe("The approval that it was made with."),
    grantedBy: ActorRef,
    createdAt: Timestamp,
    revokedBy: ActorRef.nullable(),
    revokedAt: Timestamp.nullable(),
    uses: z.number().int().describe("Calls that ran because of it."),
    lastUsedAt: Timestamp.nullable(),
  })
  .meta({ id: "Grant" });
export type Grant = z.infer<typeof Grant>;

export const GrantFilter = z.object({
  scope: z.enum(grantScopes).optional(),
  tool: z.string().max(64).optional(),
  conversationId: Id.optional(),
  active: queryFlag.optional().describe("`true`: those that count now; `false`: those that do not any more."),
});
export type GrantFilter = z.infer<typeof GrantFilter>;

export const grantEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/grants",
    summary: "Calls that are approved in advance, newest first",
    permission: "approvals:read",
    query: GrantFilter.extend(pageQuery),
    response: listOf(Grant),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/grants",
    summary: "Approve calls in advance",
    permission: "approvals:decide",
    body: GrantDraft,
    response: Grant,
    status: 201,
  }),
  revoke: endpoint({
    method: "DELETE",
    path: "/api/v1/grants/{id}",
    summary: "Revoke a grant; it stays listed as revoked",
    permission: "approvals:decide",
    params: z.object({ id: Id }),
    response: Empty,
  }),
};

export const grantContract = defineContract({
  reference: { name: "Grants", description: "Calls that somebody approved in advance, until it is revoked." },
  glossary: {
    grant: "A remembered, narrow and expiring approval of future calls.",
  },
  endpoints: grantEndpoints,
  audit: {
    "grant.created": "Grant created",
    "grant.revoked": "Grant revoked",
  },
});
