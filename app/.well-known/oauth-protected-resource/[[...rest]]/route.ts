import { resourceMetadata } from "@/server/mcp/serve/sign-in/metadata";

export const GET = (request: Request) => Response.json(resourceMetadata(request));
