import { handleRevoke } from "@/server/mcp/serve/sign-in/handle-oauth";

export const POST = handleRevoke;
