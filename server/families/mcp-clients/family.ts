import { defineFamily } from "../define-family";
import { removeIdleSessions } from "./remove-idle-sessions";

/** Programs that use Handrail's tools through /mcp; server/mcp/serve answers them. */
export const mcpClientsFamily = defineFamily({
  name: "mcp-clients",
  removeOldRows: [removeIdleSessions],
});
