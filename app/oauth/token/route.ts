import { handleToken } from "@/server/mcp/serve/sign-in/handle-oauth";

export const POST = handleToken;
