import { z } from "zod";
import { Id } from "./common";
import { defineContract } from "./define-contract";
import { endpoint } from "./endpoint";
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

const params = z.object({ id: Id });

export const mcpAuthorizationEndpoints = {
  begin: endpoint({
    method: "POST",
    path: "/api/v1/mcp/servers/{id}/authorization",
    summary: "Begin to sign in to a server with OAuth; the person's browser opens the answered address within ten minutes",
    permission: "mcp:write",
    params,
    body: McpAuthorizationDraft,
    response: z.object({
      authorizationUrl: z.string().describe("Address of the authorization server for the browser."),
      issuer: z.string(),
      scope: z.string().nullable().describe("Scope that is asked for."),
    }),
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
    "sign-in (of an MCP server)": "The access that a person granted at the authorization server of an MCP server, for the whole workspace.",
  },
  endpoints: mcpAuthorizationEndpoints,
  audit: {
    "mcp_server.sign_in_started": "Sign-in to an MCP server started",
    "mcp_server.signed_in": "Signed in to an MCP server",
    "mcp_server.signed_out": "Signed out of an MCP server",
  },
});
