import { z } from "zod";
import { Id } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

/** The request of an MCP client for access, as its user's browser brought it. */
export const McpClientRequest = z.strictObject({
  clientId: z.string().min(1).max(6_000),
  redirectUri: z.string().min(1).max(500),
  state: z.string().max(4_000).nullable(),
  codeChallenge: z.string().regex(/^[A-Za-z0-9_-]{43}$/, "must be a PKCE challenge by S256"),
});
export type McpClientRequest = z.infer<typeof McpClientRequest>;

export const McpClientSignInDraft = z
  .strictObject({
    ...McpClientRequest.shape,
    agentId: Id.describe("Agent whose tools the client gets."),
  })
  .meta({
    examples: [
      {
        clientId: "hrc_example",
        redirectUri: "http://127.0.0.1:33418/callback",
        state: null,
        codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        agentId: "01890000-0000-7000-8000-000000000000",
      },
    ],
  });
export type McpClientSignInDraft = z.infer<typeof McpClientSignInDraft>;

export const mcpClientSignInEndpoints = {
  allow: endpoint({
    method: "POST",
    path: "/api/v1/mcp/clients/sign-ins",
    summary: "Allow an MCP client to use an agent's tools in the user's name; the browser then goes to the answered address",
    permission: "turns:write",
    body: McpClientSignInDraft,
    response: z.object({ redirectTo: z.string().describe("The client's address with its one-time code, good for a minute.") }),
    status: 201,
  }),
};

export const mcpClientSignInContract = defineContract({
  reference: {
    name: "MCP client sign-in",
    description:
      "OAuth 2.1 for MCP clients at /mcp: metadata in /.well-known, then /oauth/register, /oauth/authorize, /oauth/token and /oauth/revoke.",
  },
  glossary: {
    "MCP client": "A program, such as Claude Code, that uses an agent's tools at `/mcp`.",
    "MCP session": "The state of one MCP client between `initialize` and its end; it belongs to one API key.",
  },
  endpoints: mcpClientSignInEndpoints,
  origins: ["mcp"],
  audit: {
    "mcp_client.allowed": "MCP client allowed to use an agent's tools",
    "mcp_client.signed_out": "MCP client signed out",
    "mcp_client.reuse_refused": "MCP client's stolen or repeated token refused, and its sign-in ended",
  },
});
