import { handleMcp } from "@/server/mcp/serve/handle-mcp";

export const GET = handleMcp;
export const POST = handleMcp;
export const DELETE = handleMcp;
