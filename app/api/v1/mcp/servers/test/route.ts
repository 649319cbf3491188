import { mcpServerEndpoints } from "@/contracts/mcp-servers";
import { route } from "@/server/http/route";
import { testDraft } from "@/server/mcp/connect/test-draft";

export const POST = route(mcpServerEndpoints.testDraft, ({ actor, body, signal }) => testDraft(actor, body, signal));
