import "server-only";
import { env } from "@/server/platform/env";
import { mcpAddressFor } from "../refuse-foreign-host";

/** Address of the MCP endpoint: the audience of its tokens (RFC 8707). */
export const mcpResource = (): string => `${env().publicUrl}/mcp`;

/** Address of the metadata that a refused request at /mcp names (RFC 9728). */
export const resourceMetadataUrl = (request: Request): string =>
  `${new URL(mcpAddressFor(request)).origin}/.well-known/oauth-protected-resource/mcp`;

/** Metadata of /mcp (RFC 9728). */
export const resourceMetadata = (request: Request) => ({
  resource: mcpAddressFor(request),
  resource_name: "Handrail",
  authorization_servers: [env().publicUrl],
  bearer_methods_supported: ["header"],
});

/** Metadata of the authorization server (RFC 8414). */
export const authorizationServerMetadata = () => ({
  issuer: env().publicUrl,
  authorization_endpoint: `${env().publicUrl}/oauth/authorize`,
  token_endpoint: `${env().publicUrl}/oauth/token`,
  registration_endpoint: `${env().publicUrl}/oauth/register`,
  revocation_endpoint: `${env().publicUrl}/oauth/revoke`,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
  token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
});
