import { z } from "zod";
import { Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const authKinds = ["bearer", "header", "basic", "query"] as const;
export type AuthKind = (typeof authKinds)[number];

const Origin = z
  .string()
  .trim()
  .max(300)
  .refine((text) => /^https?:\/\/[^/?#@\s]+\/?$/i.test(text) && URL.canParse(text), "must be an origin such as https://api.example.com");

export const fetchMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type FetchMethod = (typeof fetchMethods)[number];

const FetchPath = z
  .string()
  .trim()
  .max(300)
  .regex(/^\/[^?#\s%\\]*$/, "must begin with / and hold no ?, #, %, \\ or blanks, such as /v1/reports")
  .refine((path) => !/(^|\/)\.{1,2}(\/|$)/.test(path), "must not hold . or .. as a part");

const members = {
  name: z.string().trim().min(1, "needs a name").max(100),
  kind: z.enum(authKinds),
  origin: Origin.describe("The only origin that receives the secret."),
  parameter: z
    .string()
    .trim()
    .max(200)
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z[\]-]*$/, "is not a name that a header or query parameter can have")
    .nullable()
    .default(null)
    .describe("Name of the header or of the query parameter; for the kinds `header` and `query`."),
  username: z
    .string()
    .max(300)
    .regex(/^[^:]*$/, "must not hold a colon")
    .nullable()
    .default(null)
    .describe("For the kind `basic`."),
  allowsFetch: z.boolean().default(false).describe("Whether agents may name it in `url_fetch`."),
  fetchPaths: z
    .array(FetchPath)
    .max(20, "at most 20 paths")
    .default([])
    .describe("Paths of the origin to which `url_fetch` may send it, each with what lies below it; none: every path."),
  fetchMethods: z
    .array(z.enum(fetchMethods))
    .max(fetchMethods.length)
    .default([])
    .describe("Methods with which `url_fetch` may send it; none: every method."),
};

export const AuthProfileDraft = z
  .strictObject({
    ...members,
    secret: z
      .string()
      .min(1, "needs a value")
      .max(8_000)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters end a header
      .regex(/^[^\u0000-\u001f\u007f]*$/, "contains a character that cannot be sent")
      .optional()
      .describe("Stored encrypted and never answered. Absent in a change: the stored secret stays, unless the origin changes."),
  })
  .superRefine(({ kind, parameter, username }, context) => {
    if ((kind === "header" || kind === "query") && !parameter)
      context.addIssue({
        code: "custom",
        path: ["parameter"],
        message: `needs the name of the ${kind === "header" ? "header" : "parameter"}`,
      });
    if (kind === "basic" && !username) context.addIssue({ code: "custom", path: ["username"], message: "needs a user name" });
  })
  .meta({ examples: [{ name: "Weather API", kind: "bearer", origin: "https://api.example.com", secret: "your-secret-here" }] });
export type AuthProfileDraft = z.infer<typeof AuthProfileDraft>;

export const AuthProfile = z
  .object({
    id: Id,
    name: z.string(),
    kind: z.enum(authKinds),
    origin: z.string(),
    parameter: z.string().nullable(),
    username: z.string().nullable(),
    allowsFetch: z.boolean(),
    fetchPaths: z.array(z.string()),
    fetchMethods: z.array(z.enum(fetchMethods)),
    toolCount: z.number().int().describe("HTTP tools that use it."),
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "AuthProfile" });
export type AuthProfile = z.infer<typeof AuthProfile>;

const params = z.object({ id: Id });

export const authProfileEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/auth-profiles",
    summary: "Auth profiles of the workspace in the order of their creation, without their secrets",
    permission: "tools:write",
    query: z.object(pageQuery),
    response: listOf(AuthProfile),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/auth-profiles",
    summary: "Add a credential for HTTP tools of one origin",
    permission: "tools:write",
    body: AuthProfileDraft,
    response: AuthProfile,
    status: 201,
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/auth-profiles/{id}",
    summary: "One auth profile, without its secret",
    permission: "tools:write",
    params,
    response: AuthProfile,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/auth-profiles/{id}",
    summary: "Replace an auth profile; without `secret` the stored one stays, and another origin needs it again",
    headers: ["If-Match"],
    permission: "tools:write",
    params,
    body: AuthProfileDraft,
    response: AuthProfile,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/auth-profiles/{id}",
    summary: "Remove an auth profile that no tool uses",
    headers: ["If-Match"],
    permission: "tools:write",
    params,
    response: Empty,
  }),
};

export const authProfileContract = defineContract({
  reference: {
    name: "Auth profiles",
    description: "Credentials that Handrail adds to requests of HTTP tools and of url_fetch. No model sees them.",
  },
  glossary: {
    "auth profile": "A stored credential that Handrail adds to requests of HTTP tools and `url_fetch` at one origin; no model sees it.",
  },
  endpoints: authProfileEndpoints,
  audit: {
    "auth_profile.created": "Auth profile created",
    "auth_profile.updated": "Auth profile updated",
    "auth_profile.removed": "Auth profile removed",
  },
});
