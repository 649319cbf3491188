import { authorizationServerMetadata } from "@/server/mcp/serve/sign-in/metadata";

export const GET = () => Response.json(authorizationServerMetadata());
