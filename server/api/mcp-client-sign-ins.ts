import { mcpClientSignInEndpoints } from "@/contracts/mcp/mcp-client-sign-ins";
import { answer } from "@/server/endpoints/answer";
import { allowClient } from "@/server/mcp/serve/sign-in/allow-client";

export const mcpClientSignInAnswers = answer(mcpClientSignInEndpoints, {
  allow: ({ actor, body }) => allowClient(actor, body),
});
