import { z } from "zod";
import { Empty, Id, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { McpServer } from "./mcp-servers";

export const mcpCallbackPath = "/api/v1/mcp/authorization/callback";
export const mcpClientMetadataPath = "/api/v1/mcp/authorization/client";

/** Outcomes of a sign-in. The console shows a sentence for each, because a link could carry any forged sentence. */
export const mcpSignInOutcomes = ["connected", "failed", "expired", "not_yours"] as const;
export type McpSignInOutcome = (typeof mcpSignInOutcomes)[number];

export const McpAuthorizationDraft = z
  .strictObject({
    clientId: z.string().trim().min(1).max(500).optional().describe("Client that an admin registered; absent: Handrail registers itself."),
    clientSecret: z.string().min(1).max(2_000).optional().describe("Secret of that client; absent for a public client. Never shown."),
  })
  .refine(({ clientId, clientSecret }) => clientSecret === undefined || clientId !== undefined, {
    path: ["clientId"],
    message: "a client secret needs its client ID",
  })
  .meta({ examples: [{}] });
export type McpAuthorizationDraft = z.infer<typeof McpAuthorizationDraft>;

/** One person's sign-in at a server where each person signs in. */
export const McpPersonSignIn = z
  .object({
    personId: Id,
    name: z.string(),
    isYou: z.boolean(),
    issuer: z.string().nullable().describe("Authorization server that issued the tokens."),
    scope: z.string().nullable(),
    neededScope: z.string().nullable().describe("Scope that a call of this person lacked. Connecting again asks for it."),
    signedInAt: Timestamp.nullable().describe("Null while this person is not signed in."),
    lastError: z.string().nullable().describe("Why this person's last attempt to sign in failed."),
  })
  .meta({ id: "McpPersonSignIn" });
export type McpPersonSignIn = z.infer<typeof McpPersonSignIn>;

export const McpClientCredentials = z
  .strictObject({
    clientId: z.string().trim().min(1).max(500),
    clientSecret: z.string().min(1).max(2_000).describe("Sealed and never shown."),
    scope: z.string().trim().min(1).max(2_000).optional().describe("Absent: the scope that the server asks for."),
  })
  .meta({ examples: [{ clientId: "handrail", clientSecret: "a-secret-of-the-client" }] });
export type McpClientCredentials = z.infer<typeof McpClientCredentials>;

const params = z.object({ id: Id });
const begun = z.object({
  authorizationUrl: z.string().describe("Address of the authorization server for the browser."),
  issuer: z.string(),
  scope: z.string().nullable().describe("Scope that is asked for."),
});

export const mcpAuthorizationEndpoints = {
  begin: endpoint({
    method: "POST",
    path: "/api/v1/mcp/servers/{id}/authorization",
    summary: "Begin to sign in to a server with OAuth; the person's browser opens the answered address within ten minutes",
    permission: "mcp:write",
    params,
    body: McpAuthorizationDraft,
    response: begun,
    status: 201,
  }),
  end: endpoint({
    method: "DELETE",
    path: "/api/v1/mcp/servers/{id}/authorization",
    summary: "Sign out of a server: forget its tokens and revoke them where its authorization server can",
    permission: "mcp:write",
    params,
    response: McpServer,
  }),
  signInAsClient: endpoint({
    method: "PUT",
    path: "/api/v1/mcp/servers/{id}/authorization/client",
    summary: "Sign in to a server with a client's id and secret (`client_credentials`), without a person",
    permission: "mcp:write",
    params,
    body: McpClientCredentials,
    response: McpServer,
  }),
  people: endpoint({
    method: "GET",
    path: "/api/v1/mcp/servers/{id}/sign-ins",
    summary: "Who is signed in to a server where each person signs in; without `mcp:write` only yourself",
    permission: "tools:read",
    params,
    response: z.object({ items: z.array(McpPersonSignIn) }),
  }),
  beginOwn: endpoint({
    method: "POST",
    path: "/api/v1/mcp/servers/{id}/sign-ins",
    summary: "Begin to sign in yourself to a server where each person signs in; the browser opens the answered address within ten minutes",
    permission: "turns:write",
    params,
    body: McpAuthorizationDraft,
    response: begun,
    status: 201,
  }),
  endPerson: endpoint({
    method: "DELETE",
    path: "/api/v1/mcp/servers/{id}/sign-ins/{personId}",
    summary: "Sign a person out of a server: yourself, or with `mcp:write` anybody. The tokens are forgotten and revoked",
    permission: "turns:write",
    params: z.object({ id: Id, personId: Id }),
    response: Empty,
  }),
  callback: endpoint({
    method: "GET",
    path: mcpCallbackPath,
    summary: "Address to which authorization servers send the browser back; leads to the console",
    permission: null,
    // RFC 6749 4.1.2: a client must ignore unrecognized response parameters.
    queryIsForeign: true,
    query: z.object({
      state: z.string().max(200).optional(),
      code: z.string().max(8_000).optional(),
      iss: z.string().max(2_000).optional(),
      error: z.string().max(200).optional(),
      error_description: z.string().max(2_000).optional(),
    }),
    responseType: "text/html",
  }),
  clientMetadata: endpoint({
    method: "GET",
    path: mcpClientMetadataPath,
    summary: "Handrail's client ID metadata document, whose address is its client ID at authorization servers",
    permission: null,
    ignoresCredentials: true,
    response: z.object({
      client_id: z.string(),
      client_name: z.string(),
      client_uri: z.string(),
      redirect_uris: z.array(z.string()),
      grant_types: z.array(z.string()),
      response_types: z.array(z.string()),
      application_type: z.enum(["web", "native"]),
      token_endpoint_auth_method: z.string(),
    }),
  }),
};

export const mcpAuthorizationContract = defineContract({
  reference: { name: "MCP sign-in", description: "OAuth 2.1 at MCP servers that ask for it. Tokens are sealed and never shown." },
  glossary: {
    "authorization server": "The OAuth 2.1 server that signs people in for an MCP server and issues its tokens.",
    "sign-in (of an MCP server)":
      "The access that a person granted at the authorization server of an MCP server: for the whole workspace, or for the calls of that person where each person signs in.",
  },
  endpoints: mcpAuthorizationEndpoints,
  audit: {
    "mcp_server.sign_in_started": "Sign-in to an MCP server started",
    "mcp_server.signed_in": "Signed in to an MCP server",
    "mcp_server.signed_out": "Signed out of an MCP server",
  },
});
